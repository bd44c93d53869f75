//! A table is saved as its container and its observers; checkpoints and subscribers are not saved, nor are keys that
//! were undone, which [`SpentKeys`](crate::track::SpentKeys) are for. Observers take notice of the loaded objects as of
//! those of a new table: links of keys that the container does not have are removed.

use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::track::{Observer, Table, Track, Versioned};

impl<C: Track + Serialize, O: Serialize> Serialize for Table<C, O> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut table = to.serialize_struct("Table", 2)?;
        table.serialize_field("container", &**self)?;
        table.serialize_field("observers", self.observers())?;
        table.end()
    }
}

impl<'de, C, O> Deserialize<'de> for Table<C, O>
where
    C: Track<Key: core::fmt::Debug> + Deserialize<'de>,
    O: Observer<C> + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Table", deny_unknown_fields)]
        struct TableForm<C, O> {
            container: C,
            observers: O,
        }

        let TableForm { container, observers } = TableForm::deserialize(from)?;
        Self::try_with(container, observers).map_err(|refused| D::Error::custom(refused.reason))
    }
}

/// Saved as the value: checkpoints are not.
impl<T: Serialize> Serialize for Versioned<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Versioned<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        T::deserialize(from).map(Self::new)
    }
}

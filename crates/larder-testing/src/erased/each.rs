//! Each subject, without its type. (The trait is not imported: its methods have the names of those that they call.)

use core::any::Any;
use core::ops::Range;

use larder::Pool;
use larder::containers::{GetDisjointMutError, Stats};

use super::{Name, Walked};
use crate::ordered::Ordered;
use crate::pool_trial::Slots;
use crate::subject::Subject;
use crate::trial_rows::Rows;
use crate::values::{Held, Seen, Value};

fn number<V: Value>(value: V) -> u32 {
    value.id()
}

impl<S: Subject> super::Erased for S {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn copied(&self) -> Box<dyn super::Erased> {
        Box::new(self.clone())
    }

    fn copy_over(&mut self, from: &dyn super::Erased) {
        self.clone_from(from.as_any().downcast_ref().expect("they are of one type"));
    }

    fn is_equal(&self, to: &dyn super::Erased) -> bool {
        to.as_any().downcast_ref() == Some(self)
    }

    fn validate(&self) {
        self.validate();
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn remaining(&self) -> usize {
        self.remaining()
    }

    fn held(&self) -> usize {
        self.held()
    }

    fn stats(&self) -> Stats {
        self.stats()
    }

    fn reserve(&mut self, additional: usize) {
        self.reserve(additional);
    }

    fn shrink_to_fit(&mut self) {
        self.shrink_to_fit();
    }

    fn shrink_to(&mut self, capacity: usize) {
        self.shrink_to(capacity);
    }

    fn insert(&mut self, id: u32) -> Name {
        Name::of(self.insert(S::Value::make(id)))
    }

    fn try_insert(&mut self, id: u32) -> Result<Name, u32> {
        let inserted = self.try_insert(S::Value::make(id));
        inserted.map(Name::of).map_err(|refused| number(refused.value))
    }

    fn insert_with_key(&mut self, id: u32) -> (Option<Name>, Name) {
        let (mut told, value) = (None, S::Value::make(id));
        let key = self.insert_with_key(|key| {
            told = Some(Name::of(key));
            value
        });
        (told, Name::of(key))
    }

    fn try_insert_with_key(&mut self, id: u32, fails: bool) -> (Option<Name>, Result<Name, u32>) {
        let (mut told, value) = (None, S::Value::make(id));
        let inserted = self.try_insert_with_key(|key| {
            told = Some(Name::of(key));
            if fails { Err(value) } else { Ok(value) }
        });
        (told, inserted.map(Name::of).map_err(number))
    }

    fn vacant_key(&mut self) -> Name {
        Name::of(self.vacant_key())
    }

    fn vacant_insert(&mut self, id: u32) -> Name {
        Name::of(self.vacant_insert(S::Value::make(id)))
    }

    fn insert_many(&mut self, ids: Range<u32>) -> Vec<Name> {
        self.insert_many(ids.map(S::Value::make)).map(Name::of).collect()
    }

    fn extend(&mut self, ids: Range<u32>) {
        self.extend(ids.map(S::Value::make));
    }

    fn get(&self, key: Name) -> Option<u32> {
        self.get(key.key()).map(|value| value.id())
    }

    fn set(&mut self, key: Name, id: u32) -> Option<u32> {
        self.get_mut(key.key()).map(|mut value| {
            let old = value.id();
            value.set(S::Value::make(id));
            old
        })
    }

    fn contains_key(&self, key: Name) -> bool {
        self.contains_key(key.key())
    }

    fn exchange(&mut self, keys: [Name; 3]) -> Result<[u32; 3], GetDisjointMutError> {
        self.get_disjoint_mut(keys.map(Name::key)).map(|[mut x, mut y, mut z]| {
            let were = [x.id(), y.id(), z.id()];
            x.swap(&mut y);
            y.swap(&mut z);
            were
        })
    }

    fn next_key(&self, key: Name) -> Option<Name> {
        self.next_key(key.key()).map(Name::of)
    }

    fn remove(&mut self, key: Name) -> Option<u32> {
        self.remove(key.key()).map(number)
    }

    fn retain(&mut self, keep: &mut dyn FnMut(Name, u32) -> bool) {
        self.retain(|key, value| keep(Name::of(key), value.id()));
    }

    fn drain(&mut self) -> Walked<'_, (Name, u32)> {
        Box::new(self.drain().map(|(key, value)| (Name::of(key), number(value))))
    }

    fn extract_if(
        &mut self,
        take: &mut dyn FnMut(Name, u32) -> bool,
        most: usize,
    ) -> Vec<(Name, u32)> {
        let extracted = self.extract_if(|key, value| take(Name::of(key), value.id()));
        let mut all = Vec::new();
        extracted.take(most).for_each(|(key, value)| all.push((Name::of(key), number(value))));
        all
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn detach(&mut self, key: Name) -> Option<u32> {
        self.detach(key.key()).map(number)
    }

    fn reattach(&mut self, key: Name, id: u32) -> Result<(), u32> {
        let attached = self.reattach(key.key(), S::Value::make(id));
        attached.map_err(|refused| number(refused.value))
    }

    fn release(&mut self, key: Name) -> bool {
        self.release(key.key())
    }

    fn iter(&self) -> Walked<'_, (Name, u32)> {
        Box::new(self.iter().map(|(key, value)| (Name::of(key), value.id())))
    }

    fn keys(&self) -> Walked<'_, Name> {
        Box::new(self.keys().map(Name::of))
    }

    fn values(&self) -> Walked<'_, u32> {
        Box::new(self.values().map(|value| value.id()))
    }

    fn into_iter(self: Box<Self>) -> Walked<'static, (Name, u32)> {
        Box::new((*self).into_iter().map(|(key, value)| (Name::of(key), number(value))))
    }

    fn check_columns(&self, values: &[(Name, u32)], slots: usize) {
        let mut keys = Vec::new();
        values.iter().for_each(|&(key, id)| keys.push((key.key(), id)));
        self.check_columns(&keys, slots);
    }

    fn compact(&mut self, moved: &mut dyn FnMut(Name, Name)) -> bool {
        self.compact(|old, new| moved(Name::of(old), Name::of(new)))
    }

    fn as_rows(&mut self) -> Option<&mut dyn Rows> {
        self.as_arena().map(|arena| -> &mut dyn Rows { arena })
    }

    fn as_dense(&mut self) -> Option<&mut dyn Ordered> {
        self.as_dense()
    }

    fn as_pool(&mut self) -> Option<&mut dyn Slots> {
        let pool = (self as &mut dyn Any).downcast_mut::<Pool<S::Value, S::Key>>();
        pool.map(|pool| -> &mut dyn Slots { pool })
    }
}

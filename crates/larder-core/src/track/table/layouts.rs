//! Methods that a table has by the layout of its container: packed values are sorted, and a pool keeps what is removed.

use core::cmp::Ordering;
use core::mem;

use super::Table;
use crate::containers::GradualSort;
use crate::error::{Refusal, Rejected};
use crate::explain;
use crate::key::Key;
use crate::memory::OnDrop;
use crate::room;
use crate::track::observer::{Objects, Observer};
use crate::track::trackable::Track;
use crate::{DenseArena, Pool};

/// Sorting packed values. Keys, and what observers know of them, stay valid.
impl<T, K: Key, O> Table<DenseArena<T, K>, O> {
    /// Sorts the values, as [`DenseArena::sort_by`] does; all count as changed. O(n log n).
    ///
    /// # Panics
    /// If `compare` panics, or allocation fails. Then nothing has changed.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, track::Tracked};
    ///
    /// let mut rings = Tracked::new(DenseArena::from_iter([9, 7, 8]));
    /// let nine = rings.keys().next().unwrap();
    /// rings.sort_by(|a, b| a.cmp(b));
    /// assert_eq!((rings.as_slice(), rings[nine]), (&[7, 8, 9][..], 9));
    /// ```
    #[track_caller]
    pub fn sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.objects.touch_all();
        self.objects.container.sort_by(compare);
    }

    /// Sorts the values gradually, as [`DenseArena::sort_step`] does, and returns whether a round has ended; all count
    /// as changed. O(`budget`), without memory; but O(live) where changes are recorded.
    ///
    /// # Examples
    /// ```
    /// use larder::{DenseArena, containers::GradualSort, track::Tracked};
    ///
    /// let mut rings = Tracked::new(DenseArena::from_iter([9, 7, 8]));
    /// let mut sorting = GradualSort::new();
    /// while !rings.sort_step(&mut sorting, 2, |a, b| a.cmp(b)) {} // in each frame
    /// assert_eq!(rings.as_slice(), [7, 8, 9]);
    /// ```
    pub fn sort_step(
        &mut self,
        sorting: &mut GradualSort,
        budget: usize,
        compare: impl FnMut(&T, &T) -> Ordering,
    ) -> bool {
        self.objects.touch_all();
        self.objects.container.sort_step(sorting, budget, compare)
    }
}

/// Objects that stay in their slots, and are used again.
#[cfg(feature = "alloc")]
impl<T, K: Key, O: Observer<Pool<T, K>>> Table<Pool<T, K>, O> {
    /// Removes an object and keeps it in its slot, reset or replaced as [`Pool::recycle`] does; returns whether there
    /// was one. O(1), a call of the pool's function, and the cost in the observers.
    ///
    /// If that function panics, the object is removed everywhere.
    ///
    /// # Examples
    /// ```
    /// use larder::{Pool, track::Table, trees::InsertionOrder};
    ///
    /// let names = Pool::recycling(String::new, |name| name.clear());
    /// let mut names = Table::with(names, InsertionOrder::new());
    /// let [wren, kite] = ["wren", "kite"].map(|name| names.insert(String::from(name)));
    /// assert!(names.recycle(wren) && !names.recycle(wren));
    /// assert!(names.observers().iter().eq([kite]));
    /// assert!(names.slots()[0].capacity() >= 4);
    /// ```
    #[doc(alias("despawn", "free"))]
    pub fn recycle(&mut self, key: K) -> bool {
        let Self { objects, observers, .. } = self;
        if !objects.container.contains_key(key) {
            return false;
        }
        observers.settle(None);
        observers.prepare_remove(&mut Objects(objects), key);
        objects.prepare_take(key);
        observers.remove(&mut Objects(objects), key);
        let settling = OnDrop::new((objects, observers), |(objects, observers)| {
            objects.pass_over_spent(key);
            observers.settle(Some(key));
        });
        settling.held.0.container.recycle(key).is_some()
    }

    /// Adds an object that is made of what lies in a free slot, as [`Pool::insert_with`] does: `fill` turns that into
    /// the new one, and can reuse what it owns. O(1) amortised, a call of the pool's function, and the cost in the
    /// observers.
    ///
    /// If `fill` panics, it is dropped, and another one lies in the slot.
    ///
    /// # Panics
    /// If there is no room, or an observer refuses the object: see [`try_insert_with`](Self::try_insert_with).
    ///
    /// # Examples
    /// ```
    /// use larder::{Pool, track::Table, trees::InsertionOrder};
    ///
    /// let names = Pool::recycling(String::new, String::clear);
    /// let mut names = Table::with(names, InsertionOrder::new());
    /// let wren = names.insert(String::from("a wren with a long name"));
    /// names.recycle(wren);
    /// let kite = names.insert_with(|name| name.push_str("kite"));
    /// assert_eq!(names[kite], "kite");
    /// assert!(names[kite].capacity() >= 23); // it is the same `String`
    /// ```
    #[track_caller]
    pub fn insert_with(&mut self, fill: impl FnOnce(&mut T)) -> K {
        match self.try_insert_with(fill) {
            Ok(key) => key,
            Err(Refusal::Memory(reason)) => room::refused::<Self>(&reason),
            Err(reason) => explain::not_filed::<Self>(&reason),
        }
    }

    /// Like [`insert_with`](Self::insert_with), but returns an error instead of panicking. O(1) amortised, a call of
    /// the pool's function, and the cost in the observers.
    ///
    /// # Errors
    /// If there is no room, or an observer refuses the object. Then the slot stays free, with its value as `fill` left
    /// it.
    ///
    /// # Examples
    /// ```
    /// use larder::{Pool, track::Tracked};
    ///
    /// let mut names = Tracked::new(Pool::fixed(1, String::new));
    /// let wren = names.try_insert_with(|name| name.push_str("wren"))?;
    /// assert_eq!(names[wren], "wren");
    /// assert!(names.try_insert_with(|_| unreachable!("there is no room")).is_err());
    /// # Ok::<(), larder::track::Refusal<larder::Handle<String>>>(())
    /// ```
    pub fn try_insert_with(&mut self, fill: impl FnOnce(&mut T)) -> Result<K, Refusal<K>> {
        let pool = &mut self.objects.container;
        let made = pool.spare();
        let mut kept = mem::replace(pool.try_vacant_entry()?.value_mut(), made);
        fill(&mut kept);
        self.try_insert(kept).map_err(|Rejected { value, reason }| {
            if let Ok(mut entry) = self.objects.container.try_vacant_entry() {
                *entry.value_mut() = value;
            }
            reason
        })
    }
}

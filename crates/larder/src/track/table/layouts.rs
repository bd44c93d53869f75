//! What a table has by the layout of its container: packed values are sorted, and a pool keeps what is removed.

use core::cmp::Ordering;

use super::Table;
use crate::containers::GradualSort;
use crate::key::Key;
use crate::raw::OnDrop;
use crate::track::observer::{Objects, Observer};
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

    /// Sorts the values gradually, as [`DenseArena::sort_step`] does, and returns whether a round has ended; all count as
    /// changed. O(`budget`), without memory; but O(live) where changes are recorded.
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

/// Removing objects that stay in their slots.
#[cfg(feature = "alloc")]
impl<T, K: Key, O: Observer<Pool<T, K>>> Table<Pool<T, K>, O> {
    /// Removes an object and keeps it in its slot, reset or replaced as [`Pool::recycle`] does; returns whether there was one.
    /// O(1), a call of the pool's function, and the cost in the observers.
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
        observers.settle();
        observers.prepare_remove(&mut Objects(objects), key);
        objects.prepare_take(key);
        observers.remove(&mut Objects(objects), key);
        let settling = OnDrop::new((objects, observers), |(objects, observers)| {
            objects.pass_over_spent(key);
            let settling = OnDrop::new(&mut **observers, |observers| observers.settle());
            settling.held.gone(key);
        });
        settling.held.0.container.recycle(key).is_some()
    }
}

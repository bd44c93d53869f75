//! Giving memory back that lies between values.

/// `compact`.
macro_rules! compacting {
    ($container:ident) => {
        /// Compacting.
        impl<T, K: Key> $container<T, K> {
            /// Moves values from the highest slots into the lowest holes, until no hole is left below a value,
            /// and gives back what memory is not needed then, as
            /// [`shrink_to_fit`](Self::shrink_to_fit) does. A fixed arena keeps its memory. O(slots).
            ///
            /// After each move `moved` is told the value's old key, which is stale from then on, as any key of
            /// a value that was removed, and its new one: whoever keeps keys changes them there. Values that
            /// were not moved keep their keys. Slots of detached keys, and retired ones, stay where they are.
            /// If `moved` panics, the moves that it was told of are done, and no others.
            ///
            /// Moving is what is asked for here: so it moves values in every memory, also where they never
            /// move by themselves. Other orders of reuse than the packed one begin anew, with the lowest free
            /// slot.
            ///
            /// # Panics
            /// If memory is refused for the bit a slot that retired slots need, where a hole is in its last
            /// generation. The moves that `moved` was told of are done.
            ///
            /// # Examples
            /// ```
            /// use std::collections::HashMap;
            ///
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::new();")]
            /// let mut by_name = HashMap::new();
            /// for name in ["ash", "elm", "fir", "oak"] {
            ///     by_name.insert(name, arena.insert(name));
            /// }
            /// let ash = by_name.remove("ash").unwrap();
            /// arena.remove(ash);
            ///
            /// arena.compact(|old, new| {
            ///     let kept = by_name.values_mut().find(|key| **key == old).unwrap();
            ///     *kept = new;
            /// });
            /// assert_eq!(arena.capacity(), 3);
            /// assert!(arena.values().eq(&["oak", "elm", "fir"]));
            /// assert!(by_name.iter().all(|(name, key)| arena[*key] == *name));
            /// assert_eq!(arena.get(ash), None);
            /// ```
            #[doc(alias("defragment", "consolidate"))]
            #[track_caller]
            pub fn compact(&mut self, moved: impl FnMut(K, K)) {
                if let Err(reason) = self.rows.compact(moved) {
                    $crate::explain::refused::<Self>(&reason);
                }
            }
        }
    };
}
pub(crate) use compacting;

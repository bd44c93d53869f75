//! Giving memory back that lies between values.

/// `compact`, for a container whose field `$field` can. `kind` is what its users call it, `holes` what
/// becomes of what lies in holes.
macro_rules! compacting {
    (
        [$($generics:tt)*] $container:ty, $field:ident, $new:literal,
        kind: $kind:literal, holes: $holes:literal
    ) => {
        /// Compacting.
        impl<$($generics)*> $container {
            /// Moves values from the highest slots into the lowest holes, until no hole is left below a value,
            /// and gives back what memory is not needed then, as
            #[doc = concat!(
                "[`shrink_to_fit`](Self::shrink_to_fit) does. A fixed ", $kind, " keeps its memory. ",
                $holes, "O(slots)."
            )]
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
            #[doc = concat!("let mut ", $kind, " = ", $new, ";")]
            /// let mut by_name = HashMap::new();
            /// for name in ["ash", "elm", "fir", "oak"] {
            #[doc = concat!("    by_name.insert(name, ", $kind, ".insert(name));")]
            /// }
            /// let ash = by_name.remove("ash").unwrap();
            #[doc = concat!($kind, ".remove(ash);")]
            ///
            #[doc = concat!($kind, ".compact(|old, new| {")]
            ///     let kept = by_name.values_mut().find(|key| **key == old).unwrap();
            ///     *kept = new;
            /// });
            #[doc = concat!("assert_eq!(", $kind, ".capacity(), 3);")]
            #[doc = concat!("assert!(", $kind, ".values().eq(&[\"oak\", \"elm\", \"fir\"]));")]
            #[doc = concat!(
                "assert!(by_name.iter().all(|(name, key)| ", $kind, ".get(*key) == Some(name)));"
            )]
            #[doc = concat!("assert_eq!(", $kind, ".get(ash), None);")]
            /// ```
            #[doc(alias("defragment", "consolidate"))]
            #[track_caller]
            pub fn compact(&mut self, moved: impl FnMut(K, K)) {
                if let Err(reason) = $crate::raw::slots::Compact::compact(&mut self.$field, moved) {
                    $crate::explain::refused::<Self>(&reason);
                }
            }
        }
    };
}
pub(crate) use compacting;

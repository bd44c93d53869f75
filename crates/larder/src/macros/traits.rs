//! The traits that every collection has.

/// The traits that show, compare, copy, fill and walk a container.
macro_rules! traits {
    ([$($generics:tt)*] [$($args:tt)*] $container:ty) => {
        /// Panics where the key has no value, and says what its slot holds now.
        impl<$($generics)*> core::ops::Index<K> for $container {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, key: K) -> &T {
                match self.rows.get(key) {
                    Some(value) => value,
                    None => self.no_value(key),
                }
            }
        }

        /// Panics where the key has no value, and says what its slot holds now.
        impl<$($generics)*> core::ops::IndexMut<K> for $container {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, key: K) -> &mut T {
                if !self.contains_key(key) {
                    self.no_value(key);
                }
                match self.rows.get_mut(key) {
                    Some(value) => value,
                    None => unreachable!(),
                }
            }
        }

        impl<$($generics)*> core::fmt::Debug for $container
        where
            T: core::fmt::Debug,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self).finish()
            }
        }

        /// A clone holds the same values under the same keys, and hands out the same keys from
        /// there on. It grows, is fixed or reserved as the original is. Of an arena in a lent block it
        /// is a fixed one, in memory of the allocator.
        impl<$($generics)*> Clone for $container
        where
            T: Clone,
        {
            /// # Panics
            /// If memory is refused.
            #[track_caller]
            fn clone(&self) -> Self {
                match self.rows.try_clone() {
                    Ok(rows) => Self { rows },
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// As `*self = source.clone()`, also in whether it may grow. Uses the memory that is there
            /// where both are of one kind and it suffices. If a value's `Clone` panics, `self` is left
            /// as it was, or without values.
            #[track_caller]
            fn clone_from(&mut self, source: &Self) {
                if let Err(reason) = self.rows.try_clone_from(&source.rows) {
                    $crate::explain::refused::<Self>(&reason);
                }
            }
        }

        /// Two arenas are equal if the same keys have equal values.
        impl<$($generics)*> PartialEq for $container
        where
            T: PartialEq,
        {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len() && self.iter().eq(other.iter())
            }
        }

        impl<$($generics)*> Eq for $container
        where
            T: Eq,
        {
        }

        /// The keys are found by iterating, or handed out by [`insert_many`](Self::insert_many).
        impl<$($generics)*> Extend<T> for $container {
            /// # Panics
            /// As [`insert`](Self::insert); the values before are in.
            #[inline]
            #[track_caller]
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                if let Err(reason) = self.rows.try_extend(values) {
                    $crate::explain::refused::<Self>(&reason);
                }
            }
        }

        impl<'a, $($generics)*> Extend<&'a T> for $container
        where
            T: Copy + 'a,
        {
            #[inline]
            #[track_caller]
            fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
                self.extend(values.into_iter().copied());
            }
        }

        impl<$($generics)*> IntoIterator for $container {
            type Item = (K, T);
            type IntoIter = IntoIter<$($args)*>;

            #[inline]
            fn into_iter(self) -> IntoIter<$($args)*> {
                IntoIter(self.rows.into_iter())
            }
        }

        impl<'a, $($generics)*> IntoIterator for &'a $container {
            type Item = (K, &'a T);
            type IntoIter = Iter<'a, $($args)*>;

            #[inline]
            fn into_iter(self) -> Iter<'a, $($args)*> {
                self.iter()
            }
        }

        impl<'a, $($generics)*> IntoIterator for &'a mut $container {
            type Item = (K, &'a mut T);
            type IntoIter = IterMut<'a, $($args)*>;

            #[inline]
            fn into_iter(self) -> IterMut<'a, $($args)*> {
                self.iter_mut()
            }
        }
    };
}
pub(crate) use traits;

//! The traits that every collection has, and what the project itself needs.

/// Equality, printing, cloning, extending, iterating.
macro_rules! traits {
    ([$($generics:tt)*] [$($args:tt)*] $container:ty) => {
        impl<$($generics)*> core::fmt::Debug for $container
        where
            T: 'static,
            for<'a> T::Ref<'a>: core::fmt::Debug,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self).finish()
            }
        }

        /// A clone holds the same values under the same keys, and hands out the same keys from there
        /// on. It grows, is fixed or reserved as the original is. Of an arena in a lent block it is a
        /// fixed one, in memory of the allocator. (Every field must be `Clone`.)
        impl<$($generics)*> Clone for $container
        where
            T::Shape: CloneShape,
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
        }

        /// Two arenas are equal if the same keys have equal values.
        impl<$($generics)*> PartialEq for $container
        where
            T: 'static,
            for<'a> T::Ref<'a>: PartialEq,
        {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len()
                    && self.iter().all(|(key, value)| other.get(key) == Some(value))
            }
        }

        impl<$($generics)*> Eq for $container
        where
            T: 'static,
            for<'a> T::Ref<'a>: Eq,
        {
        }

        /// The keys are found by iterating, or handed out by `insert_many`.
        impl<$($generics)*> Extend<T> for $container {
            /// # Panics
            /// As `insert`; the values before are in.
            #[inline]
            #[track_caller]
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                let values = values.into_iter();
                if let Err(reason) = self.rows.try_expect(values.size_hint().0) {
                    $crate::explain::refused::<Self>(&reason);
                }
                for value in values {
                    self.insert(value);
                }
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
            type Item = (K, T::Ref<'a>);
            type IntoIter = Iter<'a, $($args)*>;

            #[inline]
            fn into_iter(self) -> Iter<'a, $($args)*> {
                self.iter()
            }
        }

        impl<'a, $($generics)*> IntoIterator for &'a mut $container {
            type Item = (K, T::RefMut<'a>);
            type IntoIter = IterMut<'a, $($args)*>;

            #[inline]
            fn into_iter(self) -> IterMut<'a, $($args)*> {
                self.iter_mut()
            }
        }
    };
}
pub(crate) use traits;

//! The iterator that puts many values into a container and gives out their keys.

/// Defines it for a container that has `insert`, `extend` and `reserve`.
macro_rules! insert_many {
    ($container:ident) => {
        /// The keys of values as they are put in. Made by the container's `insert_many`.
        ///
        /// Dropping it puts the rest of the values in, unless a value or the container panicked.
        pub struct InsertMany<'a, T, K: Key, I: Iterator<Item = T>> {
            container: &'a mut $container<T, K>,
            values: I,
            /// What panicked once is not asked again: a second panic would end the program.
            panicked: bool,
        }

        impl<'a, T, K: Key, I: Iterator<Item = T>> InsertMany<'a, T, K, I> {
            #[track_caller]
            pub(super) fn new(container: &'a mut $container<T, K>, values: I) -> Self {
                let expected = values.size_hint().0;
                if expected > container.remaining() {
                    container.reserve(expected);
                }
                Self { container, values, panicked: false }
            }
        }

        impl<T, K: Key, I: Iterator<Item = T>> Iterator for InsertMany<'_, T, K, I> {
            type Item = K;

            #[inline]
            #[track_caller]
            fn next(&mut self) -> Option<K> {
                self.panicked = true;
                let value = self.values.next();
                let key = value.map(|value| self.container.insert(value));
                self.panicked = false;
                key
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.values.size_hint()
            }
        }

        impl<T, K: Key, I: ExactSizeIterator<Item = T>> ExactSizeIterator
            for InsertMany<'_, T, K, I>
        {
        }
        impl<T, K: Key, I: core::iter::FusedIterator<Item = T>> core::iter::FusedIterator
            for InsertMany<'_, T, K, I>
        {
        }

        impl<T, K: Key, I: Iterator<Item = T>> Drop for InsertMany<'_, T, K, I> {
            fn drop(&mut self) {
                if !self.panicked {
                    self.container.extend(self.values.by_ref());
                }
            }
        }

        impl<T, K: Key, I: Iterator<Item = T>> core::fmt::Debug for InsertMany<'_, T, K, I> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("InsertMany")
                    .field("remaining", &self.values.size_hint().0)
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use insert_many;

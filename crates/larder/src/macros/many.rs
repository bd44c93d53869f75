//! The iterator that puts many values into a container and gives out their keys.

/// Defines it for a container that has `insert`, `extend` and `reserve`.
macro_rules! insert_many {
    ([$($generics:tt)*] [$($args:tt)*] $container:ty) => {
        /// The keys of values as they are put in. Made by the container's `insert_many`.
        ///
        /// Dropping it puts the rest of the values in, unless a value or the container panicked.
        pub struct InsertMany<'a, $($generics)*, I: Iterator<Item = T>> {
            container: &'a mut $container,
            values: I,
            /// What panicked once is not asked again: a second panic would end the program.
            panicked: bool,
        }

        impl<'a, $($generics)*, I: Iterator<Item = T>> InsertMany<'a, $($args)*, I> {
            #[track_caller]
            pub(super) fn new(container: &'a mut $container, values: I) -> Self {
                let expected = values.size_hint().0;
                if expected > container.remaining() {
                    container.reserve(expected);
                }
                Self { container, values, panicked: false }
            }
        }

        impl<$($generics)*, I: Iterator<Item = T>> Iterator for InsertMany<'_, $($args)*, I> {
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

        impl<$($generics)*, I: ExactSizeIterator<Item = T>> ExactSizeIterator
            for InsertMany<'_, $($args)*, I>
        {
        }
        impl<$($generics)*, I: core::iter::FusedIterator<Item = T>> core::iter::FusedIterator
            for InsertMany<'_, $($args)*, I>
        {
        }

        impl<$($generics)*, I: Iterator<Item = T>> Drop for InsertMany<'_, $($args)*, I> {
            fn drop(&mut self) {
                if !self.panicked {
                    self.container.extend(self.values.by_ref());
                }
            }
        }

        impl<$($generics)*, I: Iterator<Item = T>> core::fmt::Debug for InsertMany<'_, $($args)*, I> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("InsertMany")
                    .field("remaining", &self.values.size_hint().0)
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use insert_many;

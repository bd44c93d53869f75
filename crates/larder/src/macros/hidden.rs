//! What the project itself needs of a container.

/// What users do not see.
macro_rules! hidden {
    ([$($generics:tt)*] $container:ty) => {
        /// For the project's own tests.
        #[doc(hidden)]
        impl<$($generics)*> $container {
            /// Panics where the arena contradicts itself.
            pub fn validate(&self) {
                self.rows.validate();
            }

            /// Gives a free slot a history.
            pub fn set_generation_for_test(&mut self, slot: u32, generation: u32) {
                use $crate::raw::generation::Generation;

                let free = rows::GenerationOf::<K>::free_from_u64(generation.into());
                let free = free.expect("not the generation of a free slot");
                self.rows.set_free_generation(slot as usize, free);
            }

            /// What `Index` says of a key that has no value.
            #[cold]
            #[inline(never)]
            #[track_caller]
            fn no_value(&self, key: K) -> ! {
                let found = self.rows.found(key, self.rows.key_at(key.slot() as usize));
                $crate::explain::no_value::<Self, K>(key, &found)
            }
        }
    };
}
pub(crate) use hidden;

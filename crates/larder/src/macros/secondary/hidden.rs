//! What the project itself needs of a map.

/// What users do not see.
macro_rules! hidden {
    ($map:ident) => {
        /// For the project's own tests.
        #[doc(hidden)]
        impl<K: Key, V> $map<K, V> {
            /// Panics where the map contradicts itself.
            pub fn validate(&self) {
                self.map.validate();
            }

            /// What `Index` says of a key that has no value.
            #[cold]
            #[inline(never)]
            #[track_caller]
            fn no_entry(&self, key: K) -> ! {
                $crate::explain::no_entry::<Self, K>(key, self.key_of_slot(key.slot()))
            }
        }
    };
}
pub(crate) use hidden;

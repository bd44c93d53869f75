//! One text, two tests: whatever holds of both containers is written once.

/// The test of the same name for both containers, each of which the text calls by one name.
#[macro_export]
macro_rules! test_both {
    (uses the glob) => {};
    ($(#[$attribute:meta])* $name:ident, $container:ident => $body:block) => {
        $(#[$attribute])*
        mod $name {
            use super::*;

            // Not every text needs anything else of what its file imports.
            $crate::test_both!(uses the glob);

            #[test]
            fn arena() {
                use larder::Arena as $container;
                $body
            }

            #[test]
            fn dense_arena() {
                use larder::DenseArena as $container;
                $body
            }
        }
    };
}
pub use crate::test_both;

//! Values of a dense arena as columns for a while.

use super::DenseArena;
use crate::key::Key;
use crate::macros;

macros::temporary! {
    [T, K: Key] DenseArena<T, K>, "larder::DenseArena::new()", "in position order"
}

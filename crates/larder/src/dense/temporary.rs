//! Values of a dense arena as columns for a while.

use super::DenseArena;
use crate::face;
use crate::key::Key;

face::temporary! {
    [T, K: Key] DenseArena<T, K>, "larder::DenseArena::new()", "in position order"
}

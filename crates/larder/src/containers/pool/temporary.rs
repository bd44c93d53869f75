//! Values of a pool as columns for a while.

use super::Pool;
use crate::key::Key;
use crate::macros;

macros::temporary! {
    [T, K: Key] Pool<T, K>, "larder::Pool::new(Default::default)", "in slot order"
}

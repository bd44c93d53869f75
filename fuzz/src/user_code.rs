//! Indices over properties whose `Hash`, `Eq` and `Ord` lie, and panic now and then.
//!
//! What is found is then anybody's guess, but nothing is undefined, no key is lost to a removal, and the
//! index stays consistent with itself as far as it can be checked without the property.

use core::cell::RefCell;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use larder::indices::{MultiIndex, SortedIndex, UniqueIndex};

use crate::bytes::Bytes;
use crate::keys::{Id, Objects};

thread_local! {
    /// What the properties answer, one decision after the other.
    static SCRIPT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn decision() -> u8 {
    SCRIPT.with_borrow_mut(|script| script.pop()).unwrap_or(128)
}

/// A property that answers as the script says; from 128 on, it tells the truth.
#[derive(Debug)]
struct Liar(u8, #[expect(dead_code, reason = "is leaked if it is not dropped")] Box<u8>);

impl Liar {
    fn new(number: u8) -> Self {
        Self(number, Box::new(number))
    }
}

impl Clone for Liar {
    fn clone(&self) -> Self {
        assert!(decision() != 0, "a clone that fails");
        Self::new(self.0)
    }
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match decision() {
            0 => panic!("a hash that fails"),
            lie @ 1..128 => lie.hash(state),
            _ => self.0.hash(state),
        }
    }
}

impl PartialEq for Liar {
    fn eq(&self, other: &Self) -> bool {
        match decision() {
            0 => panic!("a comparison that fails"),
            lie @ 1..128 => lie % 2 == 0,
            _ => self.0 == other.0,
        }
    }
}

impl Eq for Liar {}

impl Ord for Liar {
    fn cmp(&self, other: &Self) -> Ordering {
        match decision() {
            0 => panic!("an order that fails"),
            lie @ 1..128 => {
                [Ordering::Less, Ordering::Equal, Ordering::Greater][usize::from(lie % 3)]
            }
            _ => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for Liar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The three indices, told the same.
macro_rules! history {
    ($bytes:ident, $index:ty, $with:expr) => {{
        let mut objects = Objects::default();
        let mut index = <$index>::default();
        let mut filed = std::collections::BTreeSet::<Id>::new();
        for _ in 0..200 {
            if $bytes.is_empty() {
                break;
            }
            let action = $bytes.byte() % 16;
            let number = $bytes.byte() % 64;
            if action < 8 || objects.keys.is_empty() {
                let key = objects.insert();
                let script = core::array::from_fn::<u8, 6, _>(|_| $bytes.byte());
                SCRIPT.replace(script.to_vec());
                let done = catch_unwind(AssertUnwindSafe(|| index.insert(key, Liar::new(number))));
                SCRIPT.take();
                if matches!(done, Ok(Ok(()))) {
                    filed.insert(key);
                }
            } else if action < 12 {
                let Some(key) = objects.pick(&mut $bytes) else { continue };
                // A removal by key runs no code of the property, but `Drop`.
                SCRIPT.replace(vec![0; 4]);
                let removed = index.remove(key);
                assert_eq!(SCRIPT.take().len(), 4, "a removal ran the property's code");
                assert_eq!($with(removed), filed.remove(&key));
            } else if action < 14 {
                let script = core::array::from_fn::<u8, 6, _>(|_| $bytes.byte());
                SCRIPT.replace(script.to_vec());
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    let _ = index.get(&Liar::new(number));
                }));
                SCRIPT.take();
            } else if action == 14 {
                let copy = catch_unwind(AssertUnwindSafe(|| index.clone()));
                drop(copy);
            } else {
                let walked: usize = index.iter().count();
                assert!(walked <= filed.len());
            }
            assert_eq!(index.len(), filed.len());
        }
        for key in filed {
            assert!($with(index.remove(key)), "a key that was filed is lost");
        }
        assert!(index.is_empty());
    }};
}

pub fn run(data: &[u8]) {
    // What the script makes panic is caught, and is no news.
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        if !text.contains("that fails") {
            std::eprintln!("{text}");
        }
    }));
    let mut bytes = Bytes::new(data);
    match bytes.byte() % 3 {
        0 => history!(bytes, UniqueIndex<Liar, Id>, |removed: Option<Liar>| removed.is_some()),
        1 => history!(bytes, MultiIndex<Liar, Id>, |removed: bool| removed),
        _ => history!(bytes, SortedIndex<Liar, Id>, |removed: bool| removed),
    }
}

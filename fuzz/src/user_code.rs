//! Indices over properties whose `Hash`, `Eq` and `Ord` lie, and panic now and then; and containers of values
//! whose `Clone` and `Drop` panic, under closures and iterators that do.
//!
//! The entries that an index finds are then undetermined, but nothing is undefined, no key is lost to a removal, and
//! the index stays consistent with itself as far as it can be checked without the property. A container stays whole.
//! Only the code under test panics on purpose: any other panic ends the run.

use core::cell::RefCell;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use larder::indices::{MultiIndex, SortedIndex, UniqueIndex};
use larder::{Arena, DenseArena, Handle32, InlineArena, Key, PagedArena};
use larder_testing::caught::{panicking_after, step};
use larder_testing::subject::Subject;
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::Value;

use crate::bytes::Bytes;
use crate::keys::{Id, Objects};

thread_local! {
    /// The answers of the properties, one decision after the other.
    static SCRIPT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the next answer; panics if it is 0 and panics are expected.
fn decision() -> u8 {
    let decision = SCRIPT.with_borrow_mut(|script| script.pop()).unwrap_or(128);
    if decision == 0 {
        step();
    }
    decision
}

/// Runs what asks the properties, by a script; says whether it came to its end.
fn scripted(bytes: &mut Bytes<'_>, act: impl FnOnce()) -> bool {
    SCRIPT.replace((0..8).map(|_| bytes.byte()).collect());
    let panicked = panicking_after(0, act);
    SCRIPT.take();
    !panicked
}

/// A property that answers as the script says: it lies below 128, and tells the truth otherwise.
#[derive(Debug)]
struct Liar(u8, #[expect(dead_code, reason = "is leaked if it is not dropped")] Box<u8>);

impl Liar {
    fn new(number: u8) -> Self {
        Self(number, Box::new(number))
    }
}

impl Clone for Liar {
    fn clone(&self) -> Self {
        decision();
        Self::new(self.0)
    }
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match decision() {
            lie @ 1..128 => lie.hash(state),
            _ => self.0.hash(state),
        }
    }
}

impl PartialEq for Liar {
    fn eq(&self, other: &Self) -> bool {
        match decision() {
            lie @ 1..128 => lie % 2 == 0,
            _ => self.0 == other.0,
        }
    }
}

impl Eq for Liar {}

impl Ord for Liar {
    fn cmp(&self, other: &Self) -> Ordering {
        match decision() {
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

/// The same for each of the three indices.
macro_rules! history {
    ($bytes:ident, $index:ty, $removed:expr) => {{
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
                let mut is_filed = false;
                scripted(&mut $bytes, || is_filed = index.insert(key, Liar::new(number)).is_ok());
                if is_filed {
                    filed.insert(key);
                }
            } else if action < 12 {
                let Some(key) = objects.pick(&mut $bytes) else { continue };
                // A removal by key runs no code of the property, but `Drop`.
                SCRIPT.replace(vec![0; 4]);
                let removed = index.remove(key);
                assert_eq!(SCRIPT.take().len(), 4, "a removal ran the property's code");
                assert_eq!($removed(removed), filed.remove(&key));
            } else if action < 14 {
                scripted(&mut $bytes, || _ = index.get(&Liar::new(number)));
            } else if action == 14 {
                scripted(&mut $bytes, || drop(index.clone()));
            } else {
                let walked: usize = index.iter().count();
                assert!(walked <= filed.len());
            }
            assert_eq!(index.len(), filed.len());
        }
        for key in filed {
            assert!($removed(index.remove(key)), "a key that was filed is lost");
        }
        assert!(index.is_empty());
    }};
}

/// A container under closures, iterators and values that panic after some steps.
fn container<S>(bytes: &mut Bytes<'_>)
where
    S: for<'a> Subject<Value = Touchy, Ref<'a> = &'a Touchy, RefMut<'a> = &'a mut Touchy>,
{
    forget_all();
    let mut subject = S::build(crate::containers::config(bytes));
    let (mut keys, mut may_leak) = (Vec::new(), false);
    for _ in 0..100 {
        if bytes.is_empty() {
            break;
        }
        let (kind, number, steps) = (bytes.byte() % 20, bytes.byte(), bytes.byte() % 32);
        let nerve = [Nerve::None, Nerve::Drop, Nerve::Clone][bytes.below(3)];
        let key = bytes.one_of(&keys);
        let chosen = |key: S::Key| {
            step();
            key.slot() % 4 < u32::from(number % 5)
        };
        let values = || (0..u32::from(number % 80)).map(Touchy::make).inspect(|_| step());
        let room = subject.remaining() >= 80;
        set_nerve(nerve);
        let panicked = panicking_after(steps.into(), || match (kind, key) {
            (0..=2, _) => keys.extend(subject.try_insert(Touchy::make(1)).ok()),
            (3, _) if room => keys.push(subject.insert_with_key(|_| {
                step();
                Touchy::make(2)
            })),
            (4 | 5, _) if room => keys.extend(subject.insert_many(values())),
            (6, _) if room => subject.extend(values()),
            (7, Some(key)) => drop(subject.remove(key)),
            (8, _) => subject.retain(|key, _| !chosen(key)),
            (9, _) => subject
                .extract_if(|key, _| chosen(key))
                .take(number.into())
                .for_each(|(_, value)| drop(value)),
            (10, _) => subject.drain().take(number.into()).for_each(|(_, value)| drop(value)),
            (11, _) if number % 4 == 0 => subject.clear(),
            (12, _) => subject = subject.clone(),
            (13, _) => {
                let mut other = S::build(larder_testing::subject::Config::ALL[0]);
                other.extend((0..number.into()).take(3).map(Touchy::make));
                other.clone_from(&subject);
            }
            (14, _) => _ = subject.compact(|_, _| step()),
            (15, _) => subject.shrink_to_fit(),
            (16, Some(key)) => drop(subject.detach(key)),
            (17, Some(key)) => drop(subject.reattach(key, Touchy::make(3))),
            (18, Some(key)) => _ = subject.release(key),
            (19, Some(key)) => _ = subject.get_mut(key).map(|value| *value = Touchy::make(4)),
            _ => {}
        });
        set_nerve(Nerve::None);
        may_leak |= panicked && nerve == Nerve::Drop;
        subject.validate();
        assert!(subject.values().all(Touchy::is_alive), "a value was dropped in its place");
        let alive = count_alive();
        assert!(
            alive >= subject.len() && (may_leak || alive == subject.len()),
            "{alive} are alive"
        );
    }
    let kept = count_alive() - subject.len();
    drop(subject);
    assert_eq!(count_alive(), kept);
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.byte() % 10 {
        0 | 1 => history!(bytes, UniqueIndex<Liar, Id>, |removed: Option<Liar>| removed.is_some()),
        2 | 3 => history!(bytes, MultiIndex<Liar, Id>, |removed: bool| removed),
        4 | 5 => history!(bytes, SortedIndex<Liar, Id>, |removed: bool| removed),
        6 => container::<Arena<Touchy>>(&mut bytes),
        7 => container::<DenseArena<Touchy>>(&mut bytes),
        8 => container::<PagedArena<Touchy, Handle32<Touchy, 29>>>(&mut bytes),
        _ => container::<InlineArena<Touchy, 100>>(&mut bytes),
    }
}

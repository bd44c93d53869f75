//! Pools of lists go back to checkpoints: random histories.

use core::fmt::Debug;
use std::collections::{BTreeMap, BTreeSet};

use larder::pools::ListPool;
use larder::pools::list_pool::ListHandle;
use larder::track::Reversible;
use larder_testing::common::{amount, thorough};

use crate::going_back::Dice;
use crate::reversible::{Beside, Objects, goes_back};

/// A value in the lists of a history.
pub(crate) trait Value: Clone + Debug + PartialEq {
    fn new(number: usize) -> Self;

    fn extend(lists: &mut ListPool<Self>, list: &mut ListHandle<Self>, values: &[Self]) {
        lists.extend(list, values.iter().cloned());
    }
}

impl Value for String {
    fn new(number: usize) -> Self {
        format!("value {number}")
    }
}

impl Value for u16 {
    fn new(number: usize) -> Self {
        number as Self
    }

    fn extend(lists: &mut ListPool<Self>, list: &mut ListHandle<Self>, values: &[Self]) {
        lists.extend_from_slice(list, values);
    }
}

impl Value for () {
    fn new(_: usize) {}

    fn extend(lists: &mut ListPool<Self>, list: &mut ListHandle<Self>, values: &[Self]) {
        lists.extend_from_slice(list, values);
    }
}

impl<T: Value> Beside for ListPool<T> {
    type Seen = BTreeMap<ListHandle<T>, Vec<T>>;

    /// (With a list, so that a clone has the number of the pool.)
    fn empty() -> Self {
        let mut lists = Self::new();
        lists.make([T::new(1)]);
        lists
    }

    fn edit(&mut self, _: &Objects, dice: &mut Dice) -> bool {
        let (new, many) =
            (T::new(dice.below(1_000)), vec![T::new(dice.below(1_000)); dice.below(9)]);
        let all: Vec<_> = self.iter().map(|(list, values)| (list, values.len())).collect();
        if all.is_empty() || dice.below(4) == 0 {
            match dice.below(2) {
                0 => _ = self.make(many),
                _ => T::extend(self, &mut ListHandle::EMPTY.clone(), &many),
            }
            return false;
        }
        let (mut list, len) = all[dice.below(all.len())];
        let at = dice.below(len + 1);
        match dice.below(24) {
            0 | 1 => self.push(&mut list, new),
            2 => _ = self.pop(list),
            3 => self.insert(&mut list, at, new),
            4 if at < len => _ = self.remove(list, at),
            5 if at < len => _ = self.swap_remove(list, at),
            6 => self.truncate(list, at),
            7 => self.clear(list),
            8 => self.extend(&mut list, many),
            9 => T::extend(self, &mut list, &many),
            10 => self.extend_from_list(&mut { list }, list, at..),
            11 => self.splice(&mut list, at.., many),
            12 if at < len => self[list][at] = new,
            13 if at < len => self.get_mut(list).expect("it is there")[at] = new,
            14 => self.reserve(&mut list, at),
            15 => _ = self.clone_list(list),
            16 => _ = self.free_if_empty(&mut list),
            17 => self.retain(|_, values| {
                values.reverse();
                values.len() % 4 != 3
            }),
            _ => self.free(list),
        }
        false
    }

    fn tidy(&mut self) {
        self.compact();
    }

    fn seen(&self, _: &Objects) -> Self::Seen {
        self.iter().map(|(list, values)| (list, values.to_vec())).collect()
    }

    fn issued(&self) -> BTreeSet<u64> {
        self.iter().map(|(list, _)| list.to_bits()).collect()
    }

    fn check(&self) {
        self.validate();
    }
}

#[test]
fn lists_go_back() {
    fn go_back<T: Value>() {
        for seed in 1..thorough(60, 3) as u64 {
            goes_back::<ListPool<T>>(&Objects::new(), seed, amount(400, 200, 40));
        }
    }

    go_back::<String>();
    go_back::<u16>();
    go_back::<()>();
}

/// An older list comes back by an undo into a slot that has had later ones since.
#[test]
fn what_an_older_list_took_the_place_of_stays_dead() {
    let mut lists = ListPool::new();
    let old = lists.make([1_u32]);
    lists.checkpoint();
    lists.free(old);
    let mut later: Vec<_> = (0..3)
        .map(|number| {
            let list = lists.make([number]);
            lists.free(list);
            list
        })
        .collect();
    later.push(lists.make([4]));
    assert_eq!((lists.undo(), lists.len()), (Ok(true), 1));
    assert_eq!(lists[old], [1]);
    let mut clone = lists.clone();
    lists.forget_all();
    clone.free_all();
    lists.free(old);
    for lists in [&mut lists, &mut clone] {
        let next = lists.make([5]);
        assert!(!later.contains(&next) && next != old, "{next} was there before");
        assert_eq!(next.to_bits() % (1 << 28), old.to_bits() % (1 << 28));
        lists.validate();
    }
}

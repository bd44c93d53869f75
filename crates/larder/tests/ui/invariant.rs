//! A type that lends values to be changed takes no values of a shorter life than those that are there.

use larder::containers::{arena, dense_arena, pool};
use larder::maps::secondary;
use larder::{Arena, Handle, SecondaryMap};

type K = Handle<u8>;

fn iter_mut<'v>(it: arena::IterMut<'v, &'static str, K>) -> arena::IterMut<'v, &'v str, K> {
    it
}

fn values_mut<'v>(
    it: dense_arena::ValuesMut<'v, &'static str, K>,
) -> dense_arena::ValuesMut<'v, &'v str, K> {
    it
}

fn vacant<'v>(it: arena::VacantEntry<'v, &'static str, K>) -> arena::VacantEntry<'v, &'v str, K> {
    it
}

fn inserter<'v>(it: arena::Inserter<'v, &'static str, K>) -> arena::Inserter<'v, &'v str, K> {
    it
}

fn shared<'v>(
    it: arena::SharedInserter<'v, &'static str, K>,
) -> arena::SharedInserter<'v, &'v str, K> {
    it
}

fn of_pool<'v>(it: pool::IterMut<'v, &'static str, K>) -> pool::IterMut<'v, &'v str, K> {
    it
}

fn of_map<'v>(it: secondary::IterMut<'v, K, &'static str>) -> secondary::IterMut<'v, K, &'v str> {
    it
}

fn exclusive<'v>(it: &'v mut Arena<&'static str, K>) -> &'v mut Arena<&'v str, K> {
    it
}

fn exclusive_map<'v>(
    it: &'v mut SecondaryMap<K, &'static str>,
) -> &'v mut SecondaryMap<K, &'v str> {
    it
}

fn main() {}

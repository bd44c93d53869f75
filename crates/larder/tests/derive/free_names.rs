//! Names of bounds and of the struct itself: derived code chooses others for its own parameters.

use larder::indices::{IndexBy, SortedIndex};
use larder::track::{Observer, Table};
use larder::{Arena, DenseSoaArena, Handle, Soa, Tree};

/// A struct by the name of its container.
mod container {
    use larder::{Handle, Tree};

    #[derive(larder::track::Observer)]
    pub(super) struct C(pub(super) Tree<Handle<u32>>);
}

/// The path of larder by the name of a container.
mod renamed {
    use larder as C;

    #[derive(C::track::Observer)]
    #[observer(crate = C)]
    pub(super) struct Renamed(pub(super) C::Tree<C::Handle<u32>>);
}

/// A value by the name of its container, which only a bound names.
struct C(u32);

type Index = SortedIndex<u32, Handle<C>>;

#[derive(Observer)]
struct Filed<F>(IndexBy<Index, F>)
where
    F: for<'a> Fn(&'a C) -> u32;

const L: usize = 2;

#[derive(Soa)]
#[soa(no_fill)]
struct Called<F, T>
where
    F: for<'a, 'b> Fn(&'a str, &'b str) -> &'a str,
    [T; L]: Clone,
{
    call: F,
    #[soa(group = "both")]
    first: T,
    #[soa(group = "both")]
    second: u8,
}

#[test]
fn a_struct_and_a_path_may_have_the_name_of_a_container() {
    let both = (container::C(Tree::new()), renamed::Renamed(Tree::new()));
    let mut numbers = Table::with(Arena::new(), both);
    let [one, two] = [1, 2].map(|number| numbers.insert(number));
    let (objects, (first, second)) = numbers.edit();
    first.0.append(objects, one, two).unwrap();
    second.0.append(objects, two, one).unwrap();
    let (first, second) = numbers.observers();
    assert_eq!((first.0.parent(two), second.0.parent(one)), (Some(one), Some(two)));
}

#[test]
fn a_bound_may_have_the_names_of_a_container_and_of_lifetimes() {
    let filed = Filed::<fn(&C) -> u32>(SortedIndex::by(|value: &C| value.0));
    let mut values = Table::with(Arena::new(), filed);
    let [_, two] = [1, 2].map(|number| values.insert(C(number)));
    assert_eq!(values.observers().0.last(), Some((&2, two)));
}

#[test]
fn a_bound_may_have_the_names_of_lanes_and_of_shorter_lifetimes() {
    type Call = for<'a, 'b> fn(&'a str, &'b str) -> &'a str;
    let called = Called { call: (|first, _| first) as Call, first: 1_u8, second: 2 };
    let mut all = DenseSoaArena::from_iter([called]);
    let both = all.values().next().expect("there is one");
    assert_eq!(((both.call)("a", "b"), *both.first), ("a", 1));
    *all.values_mut().next().expect("there is one").second = 3;
    assert_eq!(all.columns().both, [CalledBoth { first: 1, second: 3 }]);
}

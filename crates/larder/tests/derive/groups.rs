//! Structs of observers, and of what goes back: of all kinds, with names that collide with nothing.

use larder::track::{Blind, Edit, Observer, Reversible, Table, Tracked, Versioned};
use larder::trees::KeyList;
use larder::{Arena, Handle, Key, SecondaryMap, Tree};

use crate::public::{Beside, BesideEdited, Game};

type Id = Handle<u32>;

/// Names that the derived code uses as well, or might.
#[expect(dead_code, reason = "only their names matter")]
mod names {
    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Vec;
    pub(super) struct Ok;
    pub(super) struct Debug;
    pub(super) struct Observer;
    pub(super) struct Reversible;
    pub(super) struct Track;
    #[expect(non_camel_case_types, reason = "they hide the primitive ones")]
    pub(super) struct bool;
    #[expect(non_camel_case_types, reason = "they hide the primitive ones")]
    pub(super) struct usize;
}

/// A module in which everything that derived code might name means something else.
mod hidden {
    #[expect(unused_imports, reason = "they hide others")]
    use super::names::*;
    use larder::{Handle, Tree};

    #[derive(larder::track::Observer)]
    pub(super) struct Observing {
        pub(super) tree: Tree<Handle<u32>>,
    }

    #[derive(larder::track::Reversible)]
    pub(super) struct Going {
        pub(super) tree: Tree<Handle<u32>>,
    }
}

/// Parameters and lifetimes by the names that derived code would choose.
#[derive(Observer)]
struct Named<'a, 'any, C, const N: usize = 2>
where
    C: Key,
{
    r#type: &'a mut Tree<C>,
    objects: &'any mut KeyList<C>,
    key: [KeyList<C>; N],
    value: SecondaryMap<C, Box<dyn Fn(Self) -> C>>,
    #[deprecated = "it is old, but takes part"]
    all: Option<KeyList<C>>,
}

#[derive(Observer)]
struct Unnamed<O: ?Sized>(pub(crate) Tree<Id>, KeyList<Id>, Box<O>);

#[derive(Observer, Default)]
struct One<O>(O);

#[derive(Reversible)]
struct Nothing;

#[derive(Reversible, Default)]
struct Pair<T, U>(Tracked<Arena<T>>, U)
where
    T: Clone;

fn is_blind<O: Blind<Arena<u32>>>(_: &O) {}

#[test]
#[expect(deprecated, reason = "a deprecated field takes part")]
fn names_and_parameters_are_kept() {
    let (mut tree, mut list) = (Tree::new(), KeyList::new());
    let named = Named::<_> {
        r#type: &mut tree,
        objects: &mut list,
        key: [KeyList::new(), KeyList::new()],
        value: SecondaryMap::new(),
        all: Some(KeyList::new()),
    };
    is_blind(&named);
    let mut numbers = Table::with(Arena::new(), named);
    let [one, two] = [1, 2].map(|number| numbers.insert(number));
    let (objects, NamedEdited { r#type, all, .. }) = numbers.edit();
    r#type.append(objects, one, two).unwrap();
    all.edited().unwrap().push_back(objects, one).unwrap();
    numbers.remove(one);
    assert!(numbers.observers().r#type.parent(two).is_none());
    assert!(numbers.observers().all.as_ref().is_some_and(KeyList::is_empty));
}

#[test]
fn structs_without_names_are_observers() {
    let unnamed: Unnamed<dyn Observer<Arena<u32>>> =
        Unnamed(Tree::new(), KeyList::new(), Box::new(One(KeyList::new())));
    let mut numbers = Table::with(Arena::new(), unnamed);
    let [one, two] = [1, 2].map(|number| numbers.insert(number));
    let (objects, UnnamedEdited(tree, list, _)) = numbers.edit();
    tree.append(objects, one, two).unwrap();
    list.push_back(objects, two).unwrap();
    numbers.remove(two);
    let Unnamed(tree, list, _) = numbers.observers();
    assert!(tree.children(one).next().is_none() && list.is_empty());
}

#[test]
fn derived_code_names_everything_by_its_path() {
    let mut numbers = Table::with(Arena::new(), hidden::Observing { tree: Tree::new() });
    let [one, two] = [1, 2].map(|number| numbers.insert(number));
    let (objects, edited) = numbers.edit();
    edited.tree.append(objects, one, two).unwrap();
    let mut going = hidden::Going { tree: numbers.into_parts().1.tree };
    let then = going.checkpoint();
    going.tree.make_root(two);
    assert_eq!(going.rollback(then), Ok(()));
    assert_eq!(going.tree.parent(two), Some(one));
}

#[test]
fn public_structs_have_public_parts() {
    let mut game = Game::new();
    let then = game.checkpoint();
    let one = game.numbers.insert(1);
    let (objects, BesideEdited { seen, .. }) = game.numbers.edit();
    seen.push_back(objects, one).unwrap();
    let beside: &Beside = game.numbers.observers();
    assert_eq!(beside.seen.len(), 1);
    assert_eq!(game.rollback(then), Ok(()));
    assert!(game.numbers.is_empty() && game.numbers.observers().seen.is_empty());
    assert_eq!(format!("{:?}", Edit::edited(&mut Beside::default())), "BesideEdited { .. }");
}

#[test]
fn groups_without_fields_and_without_names_go_back() {
    let then = Nothing.checkpoint();
    assert_eq!(Nothing.rollback(then), Ok(()));
    let mut pair = Pair::<u32, [Versioned<u8>; 2]>::default();
    let then = pair.checkpoint();
    pair.0.insert(1);
    *pair.1[1] = 1;
    assert_eq!(pair.rollback(then), Ok(()));
    assert_eq!((pair.0.len(), *pair.1[1]), (0, 0));
}

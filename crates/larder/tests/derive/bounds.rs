//! `Self` in bounds is the struct that is derived for, in the structs beside it as well.

use larder::track::{Observer, Reversible, Table, Versioned};
use larder::{Arena, DenseSoaArena, Handle, Soa, Tree};

/// Equals only what is derived for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Id(u32);

impl PartialEq<InBounds<Self>> for Id {
    fn eq(&self, other: &InBounds<Self>) -> bool {
        *self == other.id
    }
}

impl PartialEq<InClause<Self>> for Id {
    fn eq(&self, other: &InClause<Self>) -> bool {
        *self == other.0
    }
}

#[derive(Soa)]
#[soa(no_fill)]
struct InBounds<T: PartialEq<Self>, const N: usize = 2> {
    #[soa(group = "both")]
    id: T,
    #[soa(group = "both")]
    numbers: [u32; N],
}

#[derive(Soa)]
#[soa(no_fill)]
struct InClause<T>(T, u32)
where
    Self: Sized,
    T: PartialEq<Self>;

/// Equals what it is beside.
#[derive(Reversible)]
struct Same(Versioned<u32>);

#[derive(Reversible)]
struct Going<T: PartialEq<Self>>(T, Versioned<u32>)
where
    Self: Sized;

impl PartialEq<Going<Self>> for Same {
    fn eq(&self, other: &Going<Self>) -> bool {
        *self.0 == *other.1
    }
}

#[derive(Observer)]
struct Beside<T: PartialEq<Self>>(T)
where
    Self: Sized;

impl PartialEq<Beside<Self>> for Tree<Handle<u32>> {
    fn eq(&self, other: &Beside<Self>) -> bool {
        self.roots().eq(other.0.roots())
    }
}

#[test]
fn columns_of_structs_that_ask_for_themselves() {
    let value = InBounds { id: Id(1), numbers: [2, 3] };
    assert!(Id(1) == value);
    let all = DenseSoaArena::from_iter([value]);
    assert_eq!(all.columns().both[0], InBoundsBoth { id: Id(1), numbers: [2, 3] });
    let value = InClause(Id(1), 2);
    assert!(Id(1) == value);
    let all = DenseSoaArena::from_iter([value]);
    assert_eq!(all.columns().0, [Id(1)]);
}

#[test]
fn groups_of_structs_that_ask_for_themselves() {
    let mut going = Going(Same(Versioned::new(1)), Versioned::new(1));
    let then = going.checkpoint();
    *going.1 = 2;
    assert!(going.0 != going);
    assert_eq!(going.rollback(then), Ok(()));
    assert!(going.0 == going);
}

#[test]
fn observers_of_structs_that_ask_for_themselves() {
    let mut numbers = Table::with(Arena::new(), Beside(Tree::new()));
    let [one, two] = [1, 2].map(|number| numbers.insert(number));
    let (objects, BesideEdited(tree)) = numbers.edit();
    tree.append(objects, one, two).unwrap();
    let beside = numbers.observers();
    assert!(beside.0 == *beside);
}

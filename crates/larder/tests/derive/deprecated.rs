//! Deprecated structs, and fields of deprecated types: derived code does not warn of them once more.

use larder::track::{Observer, Reversible};
use larder::{Handle, Soa, SoaArena, Tree};

#[deprecated]
#[derive(Soa, Clone, Copy, PartialEq, Debug)]
struct Old {
    #[soa(group = "both")]
    first: u8,
    #[soa(group = "both")]
    second: u8,
    third: u8,
}

#[derive(Soa, Clone, PartialEq, Debug)]
#[soa(lanes = "block")]
#[expect(deprecated, reason = "its fields are of a deprecated type")]
struct New {
    #[soa(group = "both")]
    first: Old,
    #[soa(group = "both")]
    second: Old,
    #[soa(nested)]
    third: Old,
    fourth: Old,
}

#[deprecated]
#[derive(Observer, Reversible)]
struct Beside(Tree<Handle<u32>>);

#[test]
#[expect(deprecated, reason = "only derived code does not warn")]
fn derived_code_does_not_warn_of_what_is_deprecated() {
    let old = Old { first: 1, second: 2, third: 3 };
    let new = New { first: old, second: old, third: old, fourth: old };
    let mut all = SoaArena::from_iter([new.clone()]);
    assert_eq!(all.values().next().map(NewRef::cloned), Some(new));
    let BesideEdited(_) = larder::track::Edit::edited(&mut Beside(Tree::new()));
    all.clear();
}

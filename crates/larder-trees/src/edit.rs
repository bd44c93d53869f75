//! Changing, repairing and checking a hierarchy, with links in the objects or beside them.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::cmp::Ordering;

use super::LinkErrorKind;
use super::links::Links;
use super::ring::{self, Ring, tail};
use super::walk::{self, Found, Hierarchy, Steps};
#[cfg(feature = "alloc")]
use larder_core::TryReserveError;
use larder_core::containers::LinkStoreMut;
#[cfg(feature = "alloc")]
use larder_core::room::reserve;

type Attached = Result<(), LinkErrorKind>;

/// Links of a hierarchy that can be changed, by what names them: keys, or the places of a tree's nodes.
pub(crate) trait FamilyMut<P: Copy + Eq>:
    LinkStoreMut<Links<P>, Key = P> + Hierarchy<P, Place = P>
{
}

impl<P: Copy + Eq, S: LinkStoreMut<Links<P>, Key = P>> FamilyMut<P> for S {}

/// A key that may become a child, and the parent's first and last child.
struct Admitted<P> {
    child: Found<P>,
    ends: Option<(P, P)>,
}

/// Refuses a key that must not become a child of `parent`, and every key where the circle of the children is
/// torn at its ends. O(depth); O(1) if the child has no children.
#[inline]
fn admit<P: Copy + Eq>(
    store: &impl FamilyMut<P>,
    parent: P,
    child: P,
) -> Result<Admitted<P>, LinkErrorKind> {
    let above = store.find(parent).ok_or(LinkErrorKind::TargetMissing)?;
    let below = store.find(child).ok_or(LinkErrorKind::Missing)?;
    if parent == child {
        return Err(LinkErrorKind::Itself);
    }
    if store.first_child_of(below).is_some() && store.is_ancestor(child, parent) {
        return Err(LinkErrorKind::Descendant);
    }
    let mut ends = None;
    if above.links.first_child.is_some() {
        let first = store.first_child_of(above).ok_or(LinkErrorKind::Torn)?;
        let last = store.last_sibling_of(first).ok_or(LinkErrorKind::Torn)?;
        ends = Some((first.at, last));
    }
    Ok(Admitted { child: below, ends })
}

/// Has the links recorded that change when a key leaves its parent.
#[cold]
#[inline(never)]
fn record_around<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: Found<P>) {
    let Links { parent, ring: Ring { prev, next }, .. } = key.links;
    ring::record(store, [Some(key.at), parent, prev, next]);
}

/// Has the links recorded that change when a key becomes a root and its children, too.
pub(crate) fn record_family<P: Copy + Eq, S: FamilyMut<P>>(store: &mut S, key: P) {
    if !S::MAY_RECORD || !store.records() {
        return;
    }
    if let Some(found) = store.find(key) {
        record_around(store, found);
        let mut child = store.first_child_of(found).map(|child| child.at);
        while let Some(key) = child {
            ring::record(store, [child]);
            let found = store.find(key);
            child = found.and_then(|found| store.next_sibling_of(found)).map(|next| next.at);
        }
    }
}

/// Puts a child between two siblings, which are neighbours, wherever it was before; or beside itself, the only child.
#[inline(always)]
fn put<P: Copy + Eq, S: FamilyMut<P>>(store: &mut S, parent: P, prev: P, child: Found<P>, next: P) {
    if S::MAY_RECORD {
        record_around(store, child);
        ring::record(store, [Some(parent), Some(prev), Some(next)]);
    }
    leave(store, child);
    ring::insert(store, prev, child.at, next, |links| links.parent = Some(parent));
}

#[inline]
fn set_first<P: Copy + Eq>(store: &mut impl FamilyMut<P>, parent: P, first: Option<P>) {
    if let Some(links) = store.links_mut(parent) {
        links.first_child = first;
    }
}

#[inline]
pub(crate) fn append<P: Copy + Eq>(store: &mut impl FamilyMut<P>, parent: P, child: P) -> Attached {
    let Admitted { child: found, ends } = admit(store, parent, child)?;
    match ends {
        None => {
            put(store, parent, child, found, child);
            set_first(store, parent, Some(child));
        }
        Some((_, last)) if child == last => (),
        Some((first, _)) if child == first => {
            // In a circle the first comes after the last: the second becomes the first.
            let second = ring::next(store, first).ok_or(LinkErrorKind::Torn)?;
            set_first(store, parent, Some(second));
        }
        Some((first, last)) => put(store, parent, last, found, first),
    }
    Ok(())
}

/// Appends a child that is not in the store yet, and returns the links that it is to get. Otherwise like [`append`].
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn append_new<P: Copy + Eq>(
    store: &mut impl FamilyMut<P>,
    parent: P,
    child: P,
) -> Links<P> {
    let first = store.links(parent).and_then(|links| links.first_child);
    let last = match first {
        Some(first) => store.links_mut(first).and_then(|links| links.ring.prev.replace(child)),
        None => None,
    };
    match last.and_then(|last| store.links_mut(last)) {
        Some(links) => links.ring.next = Some(child),
        None => set_first(store, parent, Some(child)),
    }
    let ring = Ring { prev: last.or(Some(child)), next: first.or(Some(child)) };
    Links { parent: Some(parent), first_child: None, ring }
}

#[inline]
pub(crate) fn prepend<P: Copy + Eq>(
    store: &mut impl FamilyMut<P>,
    parent: P,
    child: P,
) -> Attached {
    let Admitted { child: found, ends } = admit(store, parent, child)?;
    match ends {
        None => put(store, parent, child, found, child),
        Some((first, last)) if child == first || child == last => {}
        Some((first, last)) => put(store, parent, last, found, first),
    }
    set_first(store, parent, Some(child));
    Ok(())
}

/// A key that is to be put beside another, and the parent of that.
fn admit_beside<P: Copy + Eq>(
    store: &impl FamilyMut<P>,
    sibling: P,
    child: P,
) -> Result<(Found<P>, Found<P>), LinkErrorKind> {
    let target = store.find(sibling).ok_or(LinkErrorKind::TargetMissing)?;
    let below = store.find(child).ok_or(LinkErrorKind::Missing)?;
    if sibling == child {
        return Err(LinkErrorKind::Itself);
    }
    let parent = store.parent_of(target).ok_or(LinkErrorKind::TargetIsRoot)?;
    let is_above = parent.at == child
        || store.first_child_of(below).is_some() && store.is_ancestor(child, parent.at);
    if is_above { Err(LinkErrorKind::Descendant) } else { Ok((below, parent)) }
}

pub(crate) fn insert_before<P: Copy + Eq>(
    store: &mut impl FamilyMut<P>,
    sibling: P,
    child: P,
) -> Attached {
    let (found, parent) = admit_beside(store, sibling, child)?;
    if parent.links.first_child == Some(sibling) {
        return prepend(store, parent.at, child);
    }
    let prev = ring::prev(store, sibling).ok_or(LinkErrorKind::Torn)?;
    if prev != child {
        put(store, parent.at, prev, found, sibling);
    }
    Ok(())
}

pub(crate) fn insert_after<P: Copy + Eq>(
    store: &mut impl FamilyMut<P>,
    sibling: P,
    child: P,
) -> Attached {
    let (found, parent) = admit_beside(store, sibling, child)?;
    let next = ring::next(store, sibling).ok_or(LinkErrorKind::Torn)?;
    if parent.links.first_child == Some(next) {
        return append(store, parent.at, child);
    }
    if next != child {
        put(store, parent.at, sibling, found, next);
    }
    Ok(())
}

/// Detaches a key from its parent, with everything below it, and says whether it had one.
#[inline]
pub(crate) fn detach<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: P) -> bool {
    store.find(key).is_some_and(|found| detach_found(store, found))
}

#[inline]
pub(crate) fn detach_found<P: Copy + Eq, S: FamilyMut<P>>(store: &mut S, key: Found<P>) -> bool {
    if S::MAY_RECORD {
        record_around(store, key);
    }
    leave(store, key);
    let had_parent = key.links.parent.is_some();
    if let (true, Some(links)) = (had_parent, store.links_mut(key.at)) {
        (links.parent, links.ring) = (None, Ring::OPEN);
    }
    had_parent
}

/// Takes a key from among its siblings, and returns one that is left, or else its parent; `None` for a root. Its own
/// links stay as they are.
#[inline]
pub(crate) fn leave<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: Found<P>) -> Option<P> {
    let parent = key.links.parent?;
    let (mut left, mut next) = (None, parent);
    // A branch, which is predicted: a removal of all goes on before the links of what is left have come.
    if key.links.ring.next != Some(key.at) {
        let beside = ring::unlink(store, key.at, key.links.ring, |_| true);
        left = beside.next.or(beside.prev);
        next = left.unwrap_or(parent);
    }
    if let Some(links) = store.links_mut(parent) {
        if links.first_child == Some(key.at) {
            links.first_child = left;
        }
    }
    Some(next)
}

/// Detaches a key and makes roots of its children.
#[inline]
pub(crate) fn unlink<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: P) {
    record_family(store, key);
    orphan_children(store, key);
    detach(store, key);
}

/// The first child, if it exists and names its parent.
#[inline]
fn first_child<P: Copy + Eq>(store: &impl FamilyMut<P>, key: P) -> Option<P> {
    store.first_child_of(store.find(key)?).map(|child| child.at)
}

/// Makes roots of all children.
#[inline]
pub(crate) fn orphan_children<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: P) {
    record_family(store, key);
    while let Some(child) = first_child(store, key) {
        detach(store, child);
        if first_child(store, key) == Some(child) {
            break; // what is read is not what was written: see `Field::new`
        }
    }
}

/// Puts the children directly before their parent; those of a root become roots.
pub(crate) fn promote_children<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: P) {
    // Links from a file may make an object its own parent.
    let parent = store.find(key).and_then(|found| store.parent_of(found));
    let Some(parent) = parent.filter(|parent| parent.at != key) else {
        return orphan_children(store, key);
    };
    record_family(store, key);
    let (parent, was_first) = (parent.at, parent.links.first_child == Some(key));
    let mut eldest = None;
    while let Some(child) = first_child(store, key) {
        match ring::prev(store, key) {
            Some(prev) => match store.find(child) {
                Some(child) => put(store, parent, prev, child, key),
                None => return,
            },
            None => return orphan_children(store, key), // torn: there is no place beside it
        }
        if first_child(store, key) == Some(child) {
            return; // what is read is not what was written: see `Field::new`
        }
        eldest = eldest.or(Some(child));
    }
    if was_first && eldest.is_some() {
        set_first(store, parent, eldest);
    }
}

/// Removes `root` and everything below it: leaves first, so that the hierarchy is
/// consistent after each removal, whose user code may panic. `remove` takes a leaf out, and returns whether there
/// was an object, and where to go on: at a sibling of the leaf, or its parent. Returns how many objects there were.
/// O(removed).
pub(crate) fn remove_subtree<P: Copy + Eq, H: Hierarchy<P, Place = P>>(
    hierarchy: &mut H,
    root: P,
    mut remove: impl FnMut(&mut H, Found<P>) -> (bool, Option<P>),
) -> usize {
    let (mut at, mut before, mut removed) = (Some(root), None, 0);
    while let Some(found) = at.and_then(|at| hierarchy.find(at)) {
        let leaf = hierarchy.first_leaf(found, root);
        if before == Some(leaf.at) {
            break; // it was not removed: user code is wrong
        }
        let (was_there, next) = remove(hierarchy, leaf);
        removed += usize::from(was_there);
        before = Some(leaf.at);
        at = next.filter(|_| leaf.at != root);
    }
    removed
}

/// Sorts the children; stable. If `compare` panics, or allocation fails, nothing has changed.
#[cfg(feature = "alloc")]
pub(crate) fn sort_children<P: Copy + Eq, S: FamilyMut<P>>(
    store: &mut S,
    parent: P,
    mut compare: impl FnMut(&S, P, P) -> Ordering,
) -> Result<(), TryReserveError> {
    let (mut children, mut order) = (Vec::new(), Vec::new());
    for (number, child) in (0..).zip(walk::Children::new(store, parent)) {
        reserve(&mut children, 1)?;
        reserve(&mut order, 1)?;
        children.push(child);
        order.push(number);
    }
    sort(&mut order, &mut |a, b| compare(store, children[a as usize], children[b as usize]));
    let sorted = || order.iter().map(|&number| children[number as usize]);
    ring::record(store, sorted().map(Some).chain([Some(parent)]));
    for (one, next) in sorted().zip(sorted().skip(1)) {
        ring::join(store, one, next);
    }
    if let [first, .., last] = order[..] {
        let [first, last] = [first, last].map(|number| children[number as usize]);
        ring::join(store, last, first);
        set_first(store, parent, Some(first));
    }
    Ok(())
}

/// Sorts numbers by a property of what they name, and by themselves where it is the same. (A function of its own, so
/// that sorting is compiled once, and not for each type of object.)
#[cfg(feature = "alloc")]
fn sort(numbers: &mut [u32], compare: &mut dyn FnMut(u32, u32) -> Ordering) {
    // (A stable sort of the standard library would abort where memory is refused.)
    numbers.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
}

/// Removes links to missing objects, and closes the circles of siblings. O(keys).
pub(crate) fn mend<P: Copy + Eq>(
    store: &mut impl FamilyMut<P>,
    keys: impl Iterator<Item = P> + Clone,
) {
    keys.clone().for_each(|key| forget_dead(store, key));
    // The piece with the first child is closed first, so that the others find where to join.
    keys.clone().for_each(|key| close(store, key, true));
    keys.for_each(|key| close(store, key, false));
}

fn forget_dead<P: Copy + Eq>(store: &mut impl FamilyMut<P>, key: P) {
    let found = store.find(key);
    let has_parent = found.is_some_and(|found| store.parent_of(found).is_some());
    let has_child = found.is_some_and(|found| store.first_child_of(found).is_some());
    if let Some(links) = store.links_mut(key) {
        if !has_parent {
            (links.parent, links.ring) = (None, Ring::OPEN);
        }
        if !has_child {
            links.first_child = None;
        }
    }
}

/// Closes the piece that begins with `head`, or joins it to the closed ones.
fn close<P: Copy + Eq>(store: &mut impl FamilyMut<P>, head: P, only_with_first: bool) {
    let Some(parent) = store.find(head).and_then(|head| store.parent_of(head)) else {
        return;
    };
    if ring::prev(store, head).is_some() {
        return; // not a head
    }
    let (parent, first) = (parent.at, store.first_child_of(parent));
    let last = first.and_then(|first| store.last_sibling_of(first));
    let first = first.map(|first| first.at);
    let (tail, with_first) = tail(store, head, first);
    if first.is_none() || with_first {
        ring::join(store, tail, head);
    } else if let (Some((first, last)), false) = (first.zip(last), only_with_first) {
        ring::join(store, last, head);
        ring::join(store, tail, first);
    }
    if let (None, Some(links)) = (first, store.links_mut(parent)) {
        links.first_child = Some(head);
    }
}

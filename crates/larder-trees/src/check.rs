//! Checking links that were loaded, or whose objects may have been removed without being unlinked.

use core::error::Error;
use core::fmt;

use super::links::Links;
use super::ring::Ring;
use super::walk::{self, Found, Hierarchy, Steps};

/// A contradiction among links that were loaded, or whose objects were removed without being unlinked. Returned by
/// [`Links::check`](crate::Links::check) and [`IntrusiveList::check`](crate::IntrusiveList::check).
///
/// # Examples
/// ```
/// use larder::{Arena, Handle, trees::{CheckError, LinkKind, Links}};
///
/// struct Thing;
/// let mut things = Arena::<Links<Handle<Thing>>, Handle<Thing>>::with_key();
/// let [a, b] = [(); 2].map(|()| things.insert(Links::new()));
/// Links::append(&mut things, a, b).unwrap();
/// things.remove(b); // `Links::remove_subtree` would have unlinked it
/// let found = Links::check(&things, things.keys()).unwrap_err();
/// assert_eq!(found, CheckError::Missing { key: a, link: LinkKind::FirstChild, other: b });
/// assert_eq!(found.to_string(), "the first child of 0v1 is 1v1, which does not exist");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError<K> {
    /// An object has no link that its other links need.
    Absent {
        /// The object.
        key: K,
        /// The link that it has not.
        link: LinkKind,
    },
    /// A link names an object that does not exist. It was removed without being unlinked: `mend` closes the gap.
    Missing {
        /// The object that has the link.
        key: K,
        /// The kind of the link.
        link: LinkKind,
        /// The object that it names.
        other: K,
    },
    /// A link names an object that has another link than it should have in return.
    Contradiction {
        /// The object that has the link.
        key: K,
        /// The kind of the link.
        link: LinkKind,
        /// The object that it names.
        other: K,
        /// The link of the other object that contradicts it.
        back: LinkKind,
        /// The object that this link names, if any.
        names: Option<K>,
    },
    /// Some objects have a parent, but no walk visits them: their links form a cycle.
    Unreachable {
        /// The number of such objects.
        count: usize,
    },
    /// A member of a list names an object that is not in that list.
    NotMember {
        /// The member.
        key: K,
        /// The kind of the link.
        link: LinkKind,
        /// The object that it names.
        other: K,
    },
    /// A list begins with an object that does not exist, or is not in it.
    FirstNotMember {
        /// The object.
        first: K,
    },
    /// The links of a list's members agree, but it is not a list of these members.
    Inconsistent {
        /// The number of members that a walk visits.
        met: usize,
        /// The number of objects that have a link of this list.
        members: usize,
        /// The length that the list has stored.
        length: usize,
    },
}

/// The kind of a link of an object. See [`CheckError`].
///
/// # Examples
/// ```
/// use larder::trees::LinkKind;
///
/// assert_eq!(LinkKind::FirstChild.to_string(), "first child");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// To the parent.
    Parent,
    /// To the first child.
    FirstChild,
    /// To the sibling or member before it; of the first one, to the last.
    Prev,
    /// To the sibling or member after it; of the last one, to the first.
    Next,
}

impl LinkKind {
    fn of<P: Copy>(self, links: &Links<P>) -> Option<P> {
        match self {
            Self::Parent => links.parent,
            Self::FirstChild => links.first_child,
            Self::Prev => links.ring.prev,
            Self::Next => links.ring.next,
        }
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parent => "parent",
            Self::FirstChild => "first child",
            Self::Prev => "neighbour before",
            Self::Next => "neighbour after",
        })
    }
}

impl<K: fmt::Debug> fmt::Display for CheckError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { key, link } => {
                write!(f, "{key:?} has no {link}, which its other links need")
            }
            Self::Missing { key, link, other } => {
                write!(f, "the {link} of {key:?} is {other:?}, which does not exist")
            }
            Self::Contradiction { key, link, other, back, names: Some(names) } => {
                write!(f, "the {link} of {key:?} is {other:?}, whose {back} is {names:?}")
            }
            Self::Contradiction { key, link, other, back, names: None } => {
                write!(f, "the {link} of {key:?} is {other:?}, which has no {back}")
            }
            Self::Unreachable { count } => {
                write!(f, "{count} objects are linked in cycles that no walk visits")
            }
            Self::NotMember { key, link, other } => {
                write!(f, "the {link} of {key:?} is {other:?}, which is not in the list")
            }
            Self::FirstNotMember { first } => {
                write!(f, "the list begins with {first:?}, which does not exist or is not in it")
            }
            Self::Inconsistent { met, members, length } => write!(
                f,
                "the list has the length {length}, {members} members, and {met} that a walk visits"
            ),
        }
    }
}

impl<K: fmt::Debug> Error for CheckError<K> {}

pub(crate) fn check<K: Copy + Eq, H: Hierarchy<K>>(
    of: &H,
    keys: impl Iterator<Item = K>,
) -> Result<(), CheckError<K>> {
    // Every object with a parent must be met by a walk down from a root. Those that are not form a cycle, which no walk
    // from a root enters.
    let (mut linked, mut met) = (0_usize, 0_usize);
    for key in keys {
        let Some(found) = of.find_key(key) else {
            continue;
        };
        check_one(of, found)?;
        if of.parent_of(found).is_some() {
            linked += 1;
        } else {
            met += walk::Descendants::new(of, key).count();
        }
    }
    match linked.abs_diff(met) {
        0 => Ok(()),
        count => Err(CheckError::Unreachable { count }),
    }
}

/// Checks that the links of a key and of those it names fit.
fn check_one<K, H: Hierarchy<K>>(
    of: &H,
    Found { at, links }: Found<H::Place>,
) -> Result<(), CheckError<K>> {
    let names = |link, other, back, wanted| names_back(of, at, link, other, back, wanted);
    if let Some(child) = links.first_child {
        names(LinkKind::FirstChild, child, LinkKind::Parent, at)?;
    }
    let Some(parent) = links.parent else {
        let is_alone = links.ring == Ring::OPEN;
        let absent = CheckError::Absent { key: of.key_of(at), link: LinkKind::Parent };
        return if is_alone { Ok(()) } else { Err(absent) };
    };
    if of.find(parent).is_none() {
        let (key, other) = (of.key_of(at), of.key_of(parent));
        return Err(CheckError::Missing { key, link: LinkKind::Parent, other });
    }
    for (link, back) in [(LinkKind::Prev, LinkKind::Next), (LinkKind::Next, LinkKind::Prev)] {
        let absent = CheckError::Absent { key: of.key_of(at), link };
        let sibling = link.of(&links).ok_or(absent)?;
        names(link, sibling, LinkKind::Parent, parent)?;
        names(link, sibling, back, at)?;
    }
    Ok(())
}

/// Checks that the object that a link names exists, and names `wanted` by another link.
fn names_back<K, H: Hierarchy<K>>(
    of: &H,
    at: H::Place,
    link: LinkKind,
    other: H::Place,
    back: LinkKind,
    wanted: H::Place,
) -> Result<(), CheckError<K>> {
    let [key, other_key] = [at, other].map(|place| of.key_of(place));
    let Some(found) = of.find(other) else {
        return Err(CheckError::Missing { key, link, other: other_key });
    };
    let names = back.of(&found.links);
    if names == Some(wanted) {
        return Ok(());
    }
    let names = names.map(|place| of.key_of(place));
    Err(CheckError::Contradiction { key, link, other: other_key, back, names })
}

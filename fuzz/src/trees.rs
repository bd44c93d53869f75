//! Hierarchies and lists of keys beside naive ones; and links that say anything, as a file may.

use larder::trees::{Buckets, IntrusiveList, KeyList, Link, Links, ListError};
use larder::{Arena, DenseArena, Handle, Handle32, Pool, key::BareHandle};

use crate::bytes::Bytes;
use larder_testing::family::{Apart, Family, Inside, Pair, Step, Thing};

fn step(bytes: &mut Bytes<'_>) -> Step {
    let (kind, to, key) = (bytes.byte() % 32, bytes.byte().into(), bytes.byte().into());
    match kind {
        0..=8 => Step::Insert,
        9..=13 => Step::Append(to, key),
        14 | 15 => Step::Prepend(to, key),
        16..=18 => Step::Before(to, key),
        19..=21 => Step::After(to, key),
        22 => Step::Detach(key),
        23 => Step::Orphan(key),
        24 => Step::Promote(key),
        25 => Step::Sort(key),
        26 => Step::RemoveSubtree(key),
        27 | 28 => Step::RemoveOrphaning(key),
        29 | 30 => Step::RemovePromoting(key),
        _ => Step::RemoveBare(key),
    }
}

fn families<F: Family>(bytes: &mut Bytes<'_>) {
    let mut pair = Pair::<F>::default();
    for _ in 0..60 {
        if bytes.is_empty() {
            break;
        }
        pair.step(step(bytes));
    }
}

/// An object with links of both kinds.
#[derive(Clone, Debug, Default)]
struct Member {
    link: Link<Handle<Self>>,
}

type Id = Handle<Member>;

impl AsRef<Link<Id>> for Member {
    fn as_ref(&self) -> &Link<Id> {
        &self.link
    }
}

impl AsMut<Link<Id>> for Member {
    fn as_mut(&mut self) -> &mut Link<Id> {
        &mut self.link
    }
}

/// Lists of the same members: in the objects, beside them, and by kind, where a bucket is one.
fn lists(bytes: &mut Bytes<'_>) {
    let mut things: Arena<Member> = (0..10).map(|_| Member::default()).collect();
    let mut keys: Vec<Id> = things.keys().chain([Id::DANGLING]).collect();
    let (mut inside, mut beside, mut naive) =
        (IntrusiveList::numbered(3), KeyList::new(), Vec::<Id>::new());
    let (mut buckets, mut kinds) = (Buckets::<Id, 3>::new(), vec![None; keys.len()]);
    for _ in 0..200 {
        if bytes.is_empty() {
            break;
        }
        let (kind, at, to) = (bytes.byte() % 16, bytes.below(keys.len()), bytes.below(keys.len()));
        let (key, member) = (keys[at], keys[to]);
        let place = |list: &[Id], key| list.iter().position(|&other| other == key);
        let found = match kind {
            0..=2 => [inside.push_back(&mut things, key), beside.push_back(&things, key)],
            3 | 4 => [inside.push_front(&mut things, key), beside.push_front(&things, key)],
            5..=7 => [
                inside.insert_before(&mut things, member, key),
                beside.insert_before(&things, member, key),
            ],
            8 | 9 => [
                inside.insert_after(&mut things, member, key),
                beside.insert_after(&things, member, key),
            ],
            10..=12 => {
                let next = place(&naive, key).and_then(|at| {
                    naive.remove(at);
                    naive.get(at).copied()
                });
                let after = [inside.remove_and_next(&mut things, key), beside.remove_and_next(key)];
                assert_eq!(after, [next; 2]);
                continue;
            }
            13 => {
                // The next object of the slot is no member.
                inside.remove(&mut things, key);
                naive.retain(|&other| other != key);
                if things.remove(key).is_some() {
                    beside.retain_live(&things);
                    buckets.retain_live(&things);
                    kinds[at] = None;
                    keys.push(things.insert(Member::default()));
                    kinds.push(None);
                }
                continue;
            }
            14 => {
                let odd = |key: Id| key.slot() % 2 == 1;
                inside.retain(&mut things, |_, key| odd(key));
                beside.retain(odd);
                naive.retain(|&key| odd(key));
                continue;
            }
            _ => {
                let bucket = to % 4;
                let expected =
                    things.contains_key(key).then_some(()).ok_or(ListError::Missing { key });
                if bucket < 3 {
                    assert_eq!(buckets.set(&things, key, bucket), expected);
                    kinds[at] = expected.ok().map(|()| bucket);
                } else {
                    assert_eq!(buckets.remove(key), kinds[at].take());
                }
                continue;
            }
        };
        let admitted = if !things.contains_key(key) {
            Err(ListError::Missing { key })
        } else if naive.contains(&key) {
            Err(ListError::InList { key })
        } else if kind > 4 {
            place(&naive, member).ok_or(ListError::NotMember { key: member })
        } else {
            Ok(0)
        };
        assert_eq!(found, [admitted.clone().map(|_| ()), admitted.clone().map(|_| ())]);
        if let Ok(at) = admitted {
            let at = [at, at + 1][usize::from(kind > 7)];
            naive.insert(if kind < 3 { naive.len() } else { at }, key);
        }
        assert!(inside.iter(&things).eq(naive.iter().copied()));
        assert!(inside.iter(&things).rev().eq(naive.iter().rev().copied()));
        assert!(beside.iter().eq(naive.iter().copied()));
        assert!(beside.iter().rev().eq(naive.iter().rev().copied()));
        assert_eq!(inside.check(&things, things.keys()), Ok(()));
        beside.validate();
        buckets.validate();
        assert!(keys.iter().zip(&kinds).all(|(&key, &kind)| buckets.bucket_of(key) == kind));
    }
}

/// The links of objects are torn and copied: every walk ends, every edit returns. Links that are only torn are whole
/// when they are mended; links that are copied may form a cycle, which `check` finds and `mend` leaves.
fn torn(bytes: &mut Bytes<'_>) {
    let mut things: Arena<Thing> = (0..8).map(Thing::new).collect();
    let keys: Vec<_> = things.keys().collect();
    let mut are_copied = false;
    for _ in 0..100 {
        if bytes.is_empty() {
            break;
        }
        let kind = bytes.byte() % 16;
        let (a, b) = (keys[bytes.below(8)], keys[bytes.below(8)]);
        match kind {
            0..=3 => drop(Links::append(&mut things, a, b)),
            4 => drop(Links::insert_before(&mut things, a, b)),
            5 => drop(Links::insert_after(&mut things, a, b)),
            6 => drop(Links::prepend(&mut things, a, b)),
            7 => _ = Links::make_root(&mut things, a),
            8 => Links::promote_children(&mut things, a),
            9 => Links::orphan_children(&mut things, a),
            10 => drop(Links::remove_promoting(&mut things, a)),
            11 => drop(things.remove(a)),
            12 | 13 => {
                are_copied = true;
                let family = things.get(a).map(|thing| thing.family).unwrap_or_default();
                if let Some(thing) = things.get_mut(b) {
                    thing.family = family;
                }
            }
            14 => {
                Links::sort_children_by(&mut things, a, |_, a: Handle<Thing>, b| b.cmp(&a));
            }
            _ => {
                let live: Vec<_> = things.keys().collect();
                Links::mend(&mut things, &live);
                assert!(are_copied || Links::check(&things, live) == Ok(()));
            }
        }
        for &key in &keys {
            let walks = [
                Links::children(&things, key).take(999).count(),
                Links::children(&things, key).rev().take(999).count(),
                Links::ancestors(&things, key).take(999).count(),
                Links::descendants(&things, key).take(999).count(),
                Links::descendants_post_order(&things, key).take(999).count(),
                Links::descendants_breadth_first(&things, key).take(999).count(),
                Links::traverse(&things, key).take(999).count(),
            ];
            assert!(walks.iter().all(|&steps| steps < 999), "a walk goes round: {walks:?}");
        }
    }
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let histories = [
        families::<Inside>,
        families::<Inside<DenseArena<Thing>>>,
        families::<Inside<Pool<Thing>>>,
        families::<Apart>,
        families::<Apart<Arena<Thing, BareHandle<Thing>>>>,
        families::<Apart<DenseArena<Thing, Handle32<Thing, 30>>>>,
        lists,
        torn,
    ];
    histories[bytes.below(histories.len())](&mut bytes);
}

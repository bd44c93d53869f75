//! More work whose costs for one are documented not to depend on how many there are: at ends and beside others, of a hundred
//! changes or entries among many, and what is counted or queued.
//!
//! (The types are this file's own, so that the other paths are inlined as they are without these.)

use core::hash::BuildHasher;
use core::hint::black_box;

use larder::indices::SortedIndex;
use larder::maps::SparseSecondaryMap;
use larder::pools::StringPool;
use larder::track::{Replica, Reversible, Tracked};
use larder::trees::{IntrusiveList, KeyList, Link, Links, RemovalQueue, link_field};
use larder::{Arena, Handle, Tree, join};

use super::{COUNT, barrier, counted, shuffle};

/// The common beginning of the paths.
pub(crate) const PREFIXES: &[&str] = &["ends_", "near_", "shared_", "later_", "some_"];

/// The least number of objects.
const LEAST: usize = COUNT / 4;

/// The number of objects that change, or have an entry, among all; and the number of times that this is done.
const SOME: usize = 100;
const TURNS: usize = 10;

/// An object, which has the links of a hierarchy and of a list.
#[derive(Default)]
struct Thing {
    links: Links<Key>,
    link: Link<Key>,
}

link_field!(Thing.links: Links<Key>);
link_field!(Thing.link: Link<Key>);

type Key = Handle<Thing>;
type Things = Arena<Thing>;

/// Does `work` with each of them, which is what is counted; how many that were.
fn each<T: Copy>(of: &[T], mut work: impl FnMut(T)) -> usize {
    counted(&mut || {
        for &one in of {
            barrier();
            work(one);
        }
    });
    of.len()
}

fn things(count: usize) -> (Things, Vec<Key>) {
    let things = Things::from_iter((0..count).map(|_| Thing::default()));
    let keys = things.keys().collect();
    (things, keys)
}

/// The ends of an index in order, eight keys each.
fn ends(path: &str, count: usize) -> usize {
    let (_, keys) = things(count);
    let mut shuffled = keys.clone();
    shuffle(&mut shuffled);
    let mut index = SortedIndex::<u32, Key>::new();
    for &key in &shuffled {
        index.insert(key, key.slot() / 8).expect("it is live");
    }
    match path {
        "ends_first" => each(&keys, |_| assert!(black_box(&index).first().is_some())),
        "ends_last" => each(&keys, |_| assert!(black_box(&index).last().is_some())),
        "ends_pop_last" => each(&keys, |_| assert!(black_box(&mut index).pop_last().is_some())),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// First children, siblings and first members. (For what is kept beside there is room.)
fn near(path: &str, count: usize) -> usize {
    let (mut objects, keys) = things(count);
    let (root, first) = (keys[0], keys[1]);
    let rest = &keys[2..];
    let mut tree = Tree::new();
    if path.starts_with("near_tree") {
        for &key in &keys[1..] {
            tree.append(&objects, root, key).expect("both are there");
        }
        tree.clear();
        tree.append(&objects, root, first).expect("both are there");
    }
    Links::append(&mut objects, root, first).expect("both are there");
    let mut list = KeyList::new();
    if path.starts_with("near_key_list") {
        for &key in &keys {
            list.push_back(&objects, key).expect("it is there");
        }
        if path != "near_key_list_pop" {
            list.clear();
        }
    }
    let mut inside = IntrusiveList::numbered(0);
    if matches!(path, "near_list_in_pop" | "near_list_in_mend") {
        for &key in &keys {
            inside.push_back(&mut objects, key).expect("it is there");
        }
    }
    match path {
        "near_tree_prepend" => each(rest, |key| {
            black_box(&mut tree).prepend(&objects, root, key).expect("both are there");
        }),
        "near_tree_before" => each(rest, |key| {
            black_box(&mut tree).insert_before(&objects, first, key).expect("both are there");
        }),
        "near_tree_after" => each(rest, |key| {
            black_box(&mut tree).insert_after(&objects, first, key).expect("both are there");
        }),
        "near_links_prepend" => each(rest, |key| {
            Links::prepend(black_box(&mut objects), root, key).expect("both are there");
        }),
        "near_links_before" => each(rest, |key| {
            Links::insert_before(black_box(&mut objects), first, key).expect("both are there");
        }),
        "near_links_after" => each(rest, |key| {
            Links::insert_after(black_box(&mut objects), first, key).expect("both are there");
        }),
        "near_key_list_push" => each(&keys, |key| {
            black_box(&mut list).push_front(&objects, key).expect("it is there");
        }),
        "near_key_list_pop" => each(&keys, |_| {
            assert!(black_box(&mut list).pop_front().is_some());
        }),
        "near_list_in_push" => each(&keys, |key| {
            let objects = black_box(&mut objects);
            black_box(&mut inside).push_front(objects, key).expect("it is there");
        }),
        "near_list_in_pop" => each(&keys, |_| {
            assert!(black_box(&mut inside).pop_front(black_box(&mut objects)).is_some());
        }),
        "near_list_in_mend" => {
            keys.iter().skip(4).step_by(5).for_each(|&key| assert!(objects.remove(key).is_some()));
            let live: Vec<_> = objects.keys().collect();
            counted(&mut || inside.mend(&mut objects, &live));
            live.len()
        }
        other => unreachable!("there is no path `{other}`"),
    }
}

/// A hasher of this file's own, with the same seed as the others.
#[derive(Clone, Default)]
struct Seeded(foldhash::fast::FixedState);

impl BuildHasher for Seeded {
    type Hasher = <foldhash::fast::FixedState as BuildHasher>::Hasher;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        self.0.build_hasher()
    }
}

/// References to names that are counted.
fn shared(path: &str, count: usize) -> usize {
    let texts: Vec<String> = (0..count).map(|number| format!("name {number:05}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut pool = StringPool::<Seeded>::default();
    let symbols: Vec<_> = texts.iter().map(|text| pool.acquire(text)).collect();
    match path {
        "shared_more" => each(&symbols, |symbol| black_box(&mut pool).share(symbol)),
        "shared_acquire" => each(&texts, |text| _ = black_box(black_box(&mut pool).acquire(text))),
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Does something with 100 of so many several times, which is what is counted.
fn turns(mut work: impl FnMut()) -> usize {
    counted(&mut || (0..TURNS).for_each(|_| work()));
    TURNS * SOME
}

/// A hundred changes, or entries, among all.
fn some(path: &str, count: usize) -> usize {
    // (So many that each is in a word of the book of its own.)
    let count = 4 * count;
    let mut tracked = Tracked::new(Arena::<u64>::from_iter(0..count as u64));
    let keys: Vec<_> = tracked.keys().step_by(count / SOME).take(SOME).collect();
    let change = |tracked: &mut Tracked<Arena<u64>>| {
        for &key in &keys {
            *black_box(&mut *tracked).get_mut(key).expect("it is there") += 1;
        }
    };
    match path {
        "some_gone_back" => turns(|| {
            let before = tracked.checkpoint();
            change(&mut tracked);
            tracked.rollback(before).expect("it is held");
            tracked.forget_all();
        }),
        "some_polled" => {
            let mut subscriber = tracked.subscribe();
            turns(|| {
                change(&mut tracked);
                let changes = tracked.poll(&mut subscriber).expect("it is its own");
                assert_eq!(changes.changed().len(), SOME);
            })
        }
        "some_sent" => {
            let mut publisher = tracked.publish(1).expect("there is memory");
            tracked.delta(&mut publisher).expect("it is its own");
            turns(|| {
                change(&mut tracked);
                let delta = tracked.delta(&mut publisher).expect("it is its own");
                assert!(delta.len() > SOME * size_of::<u64>());
            })
        }
        "some_applied" => {
            let mut publisher = tracked.publish(1).expect("there is memory");
            let mut replica = Replica::new(Arena::<u64>::new());
            let first = tracked.delta(&mut publisher).expect("it is its own");
            replica.apply(&first).expect("it is the first");
            let deltas = [(); TURNS].map(|()| {
                change(&mut tracked);
                tracked.delta(&mut publisher).expect("it is its own")
            });
            let mut deltas = deltas.iter();
            turns(|| {
                let delta = deltas.next().expect("there is one a turn");
                black_box(&mut replica).apply(delta).expect("it is the next");
            })
        }
        "some_joined" => {
            let map: SparseSecondaryMap<_, u32> = keys.iter().map(|&key| (key, 1)).collect();
            turns(|| {
                let joined = join((black_box(&*tracked), black_box(&map)));
                assert_eq!(joined.fold(0, |sum, (_, (_, one))| sum + one), SOME as u32);
            })
        }
        other => unreachable!("there is no path `{other}`"),
    }
}

/// Does the work of this name, with this many times as many objects, and says how many operations that were.
pub(crate) fn run(path: &str) -> usize {
    let (path, times) = match path.rsplit_once('_') {
        Some((path, "2")) => (path, 2),
        Some((path, "4")) => (path, 4),
        _ => (path, 1),
    };
    let count = times * LEAST;
    match path.split('_').next() {
        Some("ends") => ends(path, count),
        Some("near") => near(path, count),
        Some("shared") => shared(path, count),
        Some("later") => {
            let (_, keys) = things(count);
            let mut queue = RemovalQueue::new();
            each(&keys, |key| black_box(&mut queue).remove_later(key))
        }
        _ => some(path, count),
    }
}

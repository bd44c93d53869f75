//! The lengths that walks report, the effect of removal below stale keys, and that a change looks at as many links
//! among few objects as among many.

use core::cell::Cell;

use larder::trees::{Buckets, IntrusiveList, KeyList, Link, LinkStore, LinkStoreMut, Links, Visit};
use larder::{Arena, Handle, Tree};

/// The tree still knows the key, and that it has children, which are alive.
#[test]
fn below_a_stale_key_nothing_is_removed() {
    let mut things = Arena::from_iter(["a", "b", "c", "d"]);
    let keys: Vec<_> = things.keys().collect();
    let [a, b, c, d] = keys[..] else { unreachable!("there are four") };
    let mut tree = Tree::new();
    for (parent, child) in [(a, b), (b, c), (a, d)] {
        tree.append(&things, parent, child).expect("both are there");
    }
    things.remove(b);
    let before = tree.clone();
    assert_eq!(tree.remove_subtree(&mut things, b), 0);
    assert_eq!(tree.remove_subtree_with(&mut things, b, |_, _| unreachable!("nothing goes")), 0);
    assert_eq!(tree.remove_children(&mut things, b), 0);
    assert!(things.len() == 3 && format!("{tree:?}") == format!("{before:?}"));
    assert_eq!(tree.children(b).collect::<Vec<_>>(), [c]);

    // The stale object goes as part of a subtree, and is not counted.
    assert_eq!(tree.remove_children(&mut things, a), 2);
    assert!(things.keys().eq([a]) && tree.first_child(a).is_none());
    tree.validate();
    let again = things.insert("in a slot of before");
    tree.append(&things, a, again).expect("both are there");
    assert!(tree.children(a).eq([again]));
}

/// From either end, or both, a walk says how much is left.
fn says_how_much_is_left<I: DoubleEndedIterator + Clone>(walk: I, count: usize, exact: bool) {
    for from_back in 0..=count {
        let mut walk = walk.clone();
        for left in (0..=count).rev() {
            let (least, most) = walk.size_hint();
            assert!(least <= left && most.is_some_and(|most| most >= left), "{left}");
            assert!(!exact || (least, most) == (left, Some(left)), "{left}: {least}, {most:?}");
            assert_eq!(walk.clone().count(), left);
            let next = if count - left < from_back { walk.next_back() } else { walk.next() };
            assert_eq!(next.is_some(), left > 0);
        }
    }
}

#[test]
fn lists_and_buckets_say_how_much_is_left() {
    struct Thing;
    type Things = Arena<Link<Handle<Thing>>, Handle<Thing>>;
    for count in [0, 1, 2, 9, 200] {
        let mut things = Things::with_key();
        let keys: Vec<_> = (0..count).map(|_| things.insert(Link::new())).collect();
        let (mut beside, mut inside) = (KeyList::new(), IntrusiveList::numbered(3));
        let mut buckets = Buckets::<_, 2>::new();
        for &key in &keys {
            beside.push_back(&things, key).expect("it is there");
            inside.push_back(&mut things, key).expect("it is there");
            buckets.set(&things, key, 1).expect("it is there");
        }
        says_how_much_is_left(beside.iter(), count, true);
        says_how_much_is_left(inside.iter(&things), count, false);
        says_how_much_is_left(buckets.iter(1), count, true);
        assert_eq!(buckets.iter(0).size_hint(), (0, Some(0)));
        // With holes.
        for key in keys.iter().step_by(3) {
            beside.remove(*key);
            buckets.remove(*key);
        }
        let left = count - count.div_ceil(3);
        says_how_much_is_left(beside.iter(), left, true);
        says_how_much_is_left(buckets.iter(1), left, true);
        let members: Vec<_> = buckets.iter(1).collect();
        assert!(buckets.iter(1).rev().eq(members.iter().rev().copied()));
        assert_eq!(
            buckets.iter(1).fold(Vec::new(), |mut all, key| (all.push(key), all).1),
            members
        );
    }
}

/// A list that is torn is shorter than it says.
#[test]
fn a_torn_list_says_no_more_than_it_knows() {
    struct Thing;
    let mut things = Arena::<Link<Handle<Thing>>, Handle<Thing>>::with_key();
    let keys: Vec<_> = (0..5).map(|_| things.insert(Link::new())).collect();
    let mut list = IntrusiveList::numbered(0);
    for &key in &keys {
        list.push_back(&mut things, key).expect("it is there");
    }
    things.remove(keys[2]);
    let mut walk = list.iter(&things);
    assert_eq!(walk.size_hint(), (1, Some(5)));
    assert_eq!((walk.next(), walk.next(), walk.next()), (Some(keys[0]), Some(keys[1]), None));
    assert_eq!(walk.size_hint(), (0, Some(0)));
    assert!(list.iter(&things).rev().eq([keys[4], keys[3]]));
}

/// Returns the items of a walk; at each step it has reported the number of those left, and a clone of it visits the
/// same.
fn visited<T: PartialEq + core::fmt::Debug>(mut walk: impl Iterator<Item = T> + Clone) -> Vec<T> {
    let all: Vec<_> = walk.clone().collect();
    for left in (0..=all.len()).rev() {
        let (least, most) = walk.size_hint();
        assert!(least <= left && most.is_none_or(|most| most >= left), "{left}: {least}, {most:?}");
        let mut rest = Vec::new();
        walk.clone().for_each(|key| rest.push(key));
        assert_eq!(rest, all[all.len() - left..]);
        assert_eq!(walk.next().as_ref(), all.get(all.len() - left));
    }
    assert_eq!((walk.next(), walk.next()), (None, None), "it stays at its end");
    all
}

/// All walks of a `Tree` and of `Links` are what `children` makes of them, on chains, stars and what lies between.
#[test]
fn all_walks_agree_with_children() {
    type Key = Handle<()>;
    fn below(children: &[Vec<usize>], of: usize, visits: &mut Vec<Visit<usize>>) {
        for &child in &children[of] {
            visits.push(Visit::Enter(child));
            below(children, child, visits);
            visits.push(Visit::Leave(child));
        }
    }
    for spread in [1, 2, 3, 40] {
        let mut things = Arena::<Links<Key>, Key>::with_key();
        let keys: Vec<_> = (0..40).map(|_| things.insert(Links::new())).collect();
        let (mut tree, mut children) = (Tree::new(), vec![Vec::new(); 40]);
        for number in 1..40 {
            let parent = (number - 1) / spread;
            tree.append(&things, keys[parent], keys[number]).expect("both are there");
            Links::append(&mut things, keys[parent], keys[number]).expect("both are there");
            children[parent].push(number);
        }
        for (number, &key) in keys.iter().enumerate() {
            macro_rules! both {
                ($walk:ident) => {{
                    let beside = visited(tree.$walk(key));
                    assert_eq!(beside, visited(Links::$walk(&things, key)), stringify!($walk));
                    beside
                }};
            }
            let of = |numbers: &[usize]| numbers.iter().map(|&at| keys[at]).collect::<Vec<_>>();
            assert_eq!(both!(children), of(&children[number]));
            assert!(tree.children(key).rev().eq(Links::children(&things, key).rev()));
            let parent = |&at: &usize| (at > 0).then(|| (at - 1) / spread);
            let above: Vec<_> = core::iter::successors(parent(&number), parent).collect();
            assert_eq!(both!(ancestors), of(&above));
            let siblings = above.first().map_or(&[][..], |&parent| &children[parent][..]);
            let at = siblings.iter().position(|&sibling| sibling == number);
            let (before, after) =
                at.map_or((&[][..], &[][..]), |at| (&siblings[..at], &siblings[at + 1..]));
            assert_eq!(both!(next_siblings), of(after));
            assert!(both!(prev_siblings).iter().rev().copied().eq(of(before)));

            let mut visits = Vec::new();
            below(&children, number, &mut visits);
            let (mut entered, mut left) = (Vec::new(), Vec::new());
            let visits: Vec<_> = visits
                .into_iter()
                .map(|visit| match visit {
                    Visit::Enter(at) => {
                        entered.push(keys[at]);
                        Visit::Enter(keys[at])
                    }
                    Visit::Leave(at) => {
                        left.push(keys[at]);
                        Visit::Leave(keys[at])
                    }
                })
                .collect();
            assert_eq!(both!(traverse), visits);
            assert_eq!(both!(descendants), entered);
            assert_eq!(both!(descendants_post_order), left);
            // Numbers grow from level to level, and from left to right.
            entered.sort_by_key(|key| key.slot());
            assert_eq!(both!(descendants_breadth_first), entered);
        }
    }
}

/// Objects that count how often their links are looked at.
struct Counted<L> {
    objects: Arena<L, Handle<()>>,
    looks: Cell<usize>,
}

impl<L: Default> Counted<L> {
    fn new(count: usize) -> (Self, Vec<Handle<()>>) {
        let mut objects = Arena::with_key();
        let keys = (0..count).map(|_| objects.insert(L::default())).collect();
        (Self { objects, looks: Cell::new(0) }, keys)
    }

    fn looks_of<R>(&mut self, change: impl FnOnce(&mut Self) -> R) -> usize {
        self.looks.set(0);
        change(self);
        self.looks.get()
    }
}

impl<L> LinkStore<L> for Counted<L> {
    type Key = Handle<()>;

    fn links(&self, key: Handle<()>) -> Option<&L> {
        self.looks.set(self.looks.get() + 1);
        self.objects.get(key)
    }
}

impl<L> LinkStoreMut<L> for Counted<L> {
    fn links_mut(&mut self, key: Handle<()>) -> Option<&mut L> {
        self.looks.set(self.looks.get() + 1);
        self.objects.get_mut(key)
    }
}

#[test]
fn a_change_of_siblings_looks_at_as_many_among_few_as_among_many() {
    let looks = [100, 200, 400].map(|count| {
        let (mut things, keys) = Counted::<Links<Handle<()>>>::new(count + 4);
        let (root, [a, b, c, d]) = (keys[0], [1, 2, 3, 4].map(|back| keys[count + 4 - back]));
        for &key in &keys[1..count] {
            Links::append(&mut things, root, key).expect("both are there");
        }
        let middle = keys[count / 2];
        [
            things.looks_of(|things| Links::append(things, root, a)),
            things.looks_of(|things| Links::prepend(things, root, b)),
            things.looks_of(|things| Links::insert_before(things, middle, c)),
            things.looks_of(|things| Links::insert_after(things, middle, d)),
            things.looks_of(|things| Links::append(things, root, middle)),
            things.looks_of(|things| Links::make_root(things, c)),
            things.looks_of(|things| Links::last_child(things, root)),
            things.looks_of(|things| Links::next_sibling(things, d)),
            things.looks_of(|things| Links::prev_sibling(things, d)),
        ]
    });
    assert!(looks[0] == looks[1] && looks[0] == looks[2], "{looks:?}");
    assert!(looks[0].iter().all(|&looks| looks <= 14), "{looks:?}");
}

#[test]
fn a_change_of_a_list_looks_at_as_many_among_few_as_among_many() {
    let looks = [100, 200, 400].map(|count| {
        let (mut things, keys) = Counted::<Link<Handle<()>>>::new(count + 4);
        let [a, b, c, d] = [1, 2, 3, 4].map(|back| keys[count + 4 - back]);
        let mut list = IntrusiveList::numbered(0);
        for &key in &keys[..count] {
            list.push_back(&mut things, key).expect("it is there");
        }
        let middle = keys[count / 2];
        [
            things.looks_of(|things| list.push_back(things, a)),
            things.looks_of(|things| list.push_front(things, b)),
            things.looks_of(|things| list.insert_before(things, middle, c)),
            things.looks_of(|things| list.insert_after(things, middle, d)),
            things.looks_of(|things| list.remove(things, middle)),
            things.looks_of(|things| list.pop_front(things)),
            things.looks_of(|things| list.pop_back(things)),
            things.looks_of(|things| list.last(things)),
            things.looks_of(|things| list.next_key(things, c)),
            things.looks_of(|things| list.prev_key(things, c)),
        ]
    });
    assert!(looks[0] == looks[1] && looks[0] == looks[2], "{looks:?}");
    assert!(looks[0].iter().all(|&looks| looks <= 12), "{looks:?}");
}

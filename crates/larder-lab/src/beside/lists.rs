//! Lists of objects: ENT-PATH, from the author of an entity component system. Every object is in four
//! lists. In each round every 7th member leaves the second list, every 11th the third, every 13th the
//! fourth; every 17th object of the first is destroyed; new objects are added. All of that passes over whole lists,
//! which is what a `Vec` is best at; what a list is for is `one`: an object leaves that its caller has the key of.

use alloc::collections::LinkedList;

use larder::trees::{Field, IntrusiveList, KeyList, Link};
use larder::{Arena, Handle};
use slotmap::{DefaultKey, SlotMap};

use crate::study::prelude::*;

/// ENT-PATH's own number of objects.
const LARGEST: usize = 500_000;
/// The number of rounds.
const ROUNDS: usize = 10;
/// The members that leave each of the lists but the first, of which all objects are members: every 7th, and so on.
const LEAVING: [usize; 3] = [7, 11, 13];
/// The objects of the first list that are destroyed: every 17th.
const DYING: usize = 17;
/// The number of objects that leave one by one.
const VICTIMS: usize = 50;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("lists", &[5_000, LARGEST], LARGEST, |contest| {
        let count = contest.count;
        // A turn with so many takes seconds.
        let contest = if count == LARGEST { contest.at_most(3) } else { contest.clone() };
        contest.measure(vec![
            works::<Keyed<Vec<DefaultKey>>>(count),
            works::<Keyed<LinkedList<DefaultKey>>>(count),
            works::<LinkedByHand>(count),
            works::<SideLists>(count),
            works::<InObjects>(count),
        ])
    })
}

fn works<R: Roll + 'static>(count: usize) -> Turns<'static> {
    let after = filled(|after: &mut R| {
        push(after, 0..count);
        rounds(after, count);
    });
    // The members of the first list, from which objects are only destroyed.
    let members = (0..ROUNDS).fold(count, |members, _| members - members / DYING + count / ROUNDS);
    let full = move |_: &R| filled(|roll| push(roll, 0..count));
    let walks =
        |roll: &R| (0..4).fold(0_u64, |digest, list| digest.rotate_left(1) ^ roll.walk(list));
    Works::new(R::NAME, after, full, walks)
        .on("push", "an object, from nothing on, at the end of four lists")
        .filling(count, move |_, roll| push(roll, 0..count))
        .on("leave", "every 7th member leaves its list, per member that is passed")
        .changing(count, |_, roll| roll.leave(1, LEAVING[0]))
        .on("destroy", "every 17th object leaves four lists and is gone, per one passed")
        .changing(count, |_, roll| roll.destroy(DYING))
        .on("one", "an object that was chosen at random leaves four lists and is gone")
        .consuming(
            move |_| pushed_and_chosen::<R>(count),
            VICTIMS,
            |_, (roll, chosen)| chosen.iter().for_each(|&key| roll.destroy_one(key)),
            move |(roll, _), ()| walks(roll),
        )
        .on("rounds", "ten rounds of all, and walks, per object of the first")
        .changing(count, move |_, roll| rounds(roll, count))
        .on("walk", "all objects by their list, after ten rounds")
        .reading(members, |after| after.walk(0))
        .done()
}

/// Adds objects to all lists.
#[inline(never)]
fn push<R: Roll>(roll: &mut R, numbers: core::ops::Range<usize>) {
    numbers.for_each(|number| {
        roll.push(number as u32);
    });
}

/// Objects in all lists, and some of them, chosen at random.
fn pushed_and_chosen<R: Roll>(count: usize) -> (R, Vec<R::Key>) {
    let mut roll = R::default();
    let keys: Vec<_> = (0..count).map(|number| roll.push(number as u32)).collect();
    let mut random = Random::new(0x0E17);
    let chosen = (0..VICTIMS).map(|_| keys[random.below(count)]).collect();
    (roll, chosen)
}

/// All rounds; returns a digest of their walks.
#[inline(never)]
fn rounds<R: Roll>(roll: &mut R, count: usize) -> u64 {
    let mut digest = 0_u64;
    for round in 0..ROUNDS {
        for list in 0..4 {
            digest = digest.rotate_left(1) ^ roll.walk(list);
        }
        for (list, every) in (1..).zip(LEAVING) {
            roll.leave(list, every);
        }
        roll.destroy(DYING);
        let first = count + round * (count / ROUNDS);
        push(roll, first..first + count / ROUNDS);
    }
    digest
}

subjects! { ($) rolls:
    /// Four lists of the objects of one container.
    trait Roll: Default {
        type Key: Copy;

        /// A new object, last in all lists.
        fn push(&mut self, number: u32) -> Self::Key;
        /// An object leaves all lists and is removed, if it is there.
        fn destroy_one(&mut self, key: Self::Key);
        /// The last of every so many members leaves this list.
        #[inline(never)]
        fn leave(&mut self, list: usize, every: usize);
        /// The last of every so many objects of the first list leaves all lists and is removed.
        #[inline(never)]
        fn destroy(&mut self, every: usize);
        /// The digest of a list's objects.
        #[inline(never)]
        fn walk(&self, list: usize) -> u64;
    }
}

/// Adds an object to the digest of a walk.
#[inline(always)]
fn mixed(digest: u64, number: u32) -> u64 {
    digest.rotate_left(5) ^ u64::from(number)
}

/// Returns true in one call of `every`.
fn each_of(every: usize) -> impl FnMut() -> bool {
    let mut count = 0;
    move || {
        count += 1;
        count % every == 0
    }
}

/// larder: lists beside an arena.
#[derive(Default)]
struct SideLists {
    objects: Arena<u32>,
    lists: [KeyList<Handle<u32>>; 4],
}

rolls! { SideLists, "Arena and KeyList";
    type Key = Handle<u32>;

    fn push(&mut self, number) {
        let key = self.objects.insert(number);
        for list in &mut self.lists {
            list.push_back(&self.objects, key).expect("it is there");
        }
        key
    }
    fn destroy_one(&mut self, key) {
        for list in &mut self.lists {
            list.remove(key);
        }
        self.objects.remove(key);
    }
    fn leave(&mut self, list, every) {
        let mut leaves = each_of(every);
        self.lists[list].retain(|_| !leaves());
    }
    fn destroy(&mut self, every) {
        let mut dies = each_of(every);
        let [all, others @ ..] = &mut self.lists;
        all.retain(|key| {
            let dies = dies();
            if dies {
                for list in &mut *others {
                    list.remove(key);
                }
                self.objects.remove(key);
            }
            !dies
        });
    }
    fn walk(&self, list) { self.lists[list].iter().fold(0, |digest, key| mixed(digest, self.objects[key])) }
}

/// An object with its links in four lists.
#[derive(Default)]
struct Member {
    number: u32,
    links: [Link<Handle<Member>>; 4],
}

/// The objects, by their links in one list.
macro_rules! in_list {
    ($objects:expr, $list:expr) => {{
        let list: usize = $list;
        Field::new(
            $objects,
            move |member: &Member| &member.links[list],
            move |member: &mut Member| &mut member.links[list],
        )
    }};
}

/// larder: lists within an arena's objects.
struct InObjects {
    objects: Arena<Member>,
    lists: [IntrusiveList<Handle<Member>>; 4],
}

impl Default for InObjects {
    fn default() -> Self {
        Self { objects: Arena::new(), lists: [0, 1, 2, 3].map(IntrusiveList::numbered) }
    }
}

rolls! { InObjects, "Arena and List";
    type Key = Handle<Member>;

    fn push(&mut self, number) {
        let key = self.objects.insert(Member { number, ..Member::default() });
        for (at, list) in self.lists.iter_mut().enumerate() {
            list.push_back(&mut in_list!(&mut self.objects, at), key).expect("it is there");
        }
        key
    }
    fn destroy_one(&mut self, key) {
        for (at, list) in self.lists.iter_mut().enumerate() {
            list.remove(&mut in_list!(&mut self.objects, at), key);
        }
        self.objects.remove(key);
    }
    fn leave(&mut self, list, every) {
        let mut leaves = each_of(every);
        let objects = &mut in_list!(&mut self.objects, list);
        self.lists[list].retain(objects, |_, _| !leaves());
    }
    fn destroy(&mut self, every) {
        let mut dies = each_of(every);
        let mut next = self.lists[0].first(&in_list!(&self.objects, 0));
        while let Some(key) = next {
            if !dies() {
                next = self.lists[0].next_key(&in_list!(&self.objects, 0), key);
                continue;
            }
            next = self.lists[0].remove_and_next(&mut in_list!(&mut self.objects, 0), key);
            for at in 1..4 {
                self.lists[at].remove(&mut in_list!(&mut self.objects, at), key);
            }
            self.objects.remove(key);
        }
    }
    fn walk(&self, list) {
        let objects = in_list!(&self.objects, list);
        let members = self.lists[list].iter(&objects);
        members.fold(0, |digest, key| mixed(digest, self.objects[key].number))
    }
}

/// Lists of keys of a `SlotMap`, in a collection of the standard library, walked to find the removed objects.
#[derive(Default)]
struct Keyed<L> {
    objects: SlotMap<DefaultKey, u32>,
    lists: [L; 4],
}

/// The functions that two collections have alike.
macro_rules! keyed {
    ($list:ident, $name:literal, $push:ident; $($others:tt)*) => {
        rolls! { Keyed<$list<DefaultKey>>, $name;
            type Key = DefaultKey;

            fn push(&mut self, number) {
                let key = self.objects.insert(number);
                self.lists.iter_mut().for_each(|list| list.$push(key));
                key
            }
            fn walk(&self, list) {
                self.lists[list].iter().fold(0, |digest, &key| mixed(digest, self.objects[key]))
            }
            $($others)*
        }
    };
}

keyed! { LinkedList, "SlotMap and LinkedList", push_back;
    fn destroy_one(&mut self, key) {
        for list in &mut self.lists {
            list.extract_if(|&mut member| member == key).next();
        }
        self.objects.remove(key);
    }
    fn leave(&mut self, list, every) {
        let mut leaves = each_of(every);
        self.lists[list].extract_if(|_| leaves()).for_each(drop);
    }
    fn destroy(&mut self, every) {
        let mut dies = each_of(every);
        let (objects, [all, others @ ..]) = (&mut self.objects, &mut self.lists);
        for key in all.extract_if(|_| dies()) {
            objects.remove(key);
        }
        for list in others {
            list.extract_if(|&mut key| !objects.contains_key(key)).for_each(drop);
        }
    }
}

keyed! { Vec, "SlotMap and Vec", push;
    fn destroy_one(&mut self, key) {
        for list in &mut self.lists {
            if let Some(at) = list.iter().position(|&member| member == key) {
                list.remove(at);
            }
        }
        self.objects.remove(key);
    }
    fn leave(&mut self, list, every) {
        let mut leaves = each_of(every);
        self.lists[list].retain(|_| !leaves());
    }
    fn destroy(&mut self, every) {
        let mut dies = each_of(every);
        let (objects, [all, others @ ..]) = (&mut self.objects, &mut self.lists);
        all.retain(|&key| {
            let dies = dies();
            if dies {
                objects.remove(key);
            }
            !dies
        });
        others.iter_mut().for_each(|list| list.retain(|&key| objects.contains_key(key)));
    }
}

/// Written by hand with `slotmap`: keys of neighbours in the objects, unchecked.
#[derive(Default)]
struct LinkedByHand {
    objects: SlotMap<DefaultKey, HandLinked>,
    /// First, last, and how many.
    lists: [(Option<DefaultKey>, Option<DefaultKey>, usize); 4],
}

#[derive(Default)]
struct HandLinked {
    number: u32,
    links: [HandLink; 4],
}

#[derive(Clone, Copy, Default)]
struct HandLink {
    listed: bool,
    prev: Option<DefaultKey>,
    next: Option<DefaultKey>,
}

impl LinkedByHand {
    fn link(&mut self, list: usize, key: DefaultKey) {
        let last = self.lists[list].1.replace(key);
        match last {
            Some(last) => self.objects[last].links[list].next = Some(key),
            None => self.lists[list].0 = Some(key),
        }
        self.objects[key].links[list] = HandLink { listed: true, prev: last, next: None };
        self.lists[list].2 += 1;
    }

    fn unlink(&mut self, list: usize, key: DefaultKey) {
        let link = core::mem::take(&mut self.objects[key].links[list]);
        if !link.listed {
            return;
        }
        match link.prev {
            Some(prev) => self.objects[prev].links[list].next = link.next,
            None => self.lists[list].0 = link.next,
        }
        match link.next {
            Some(next) => self.objects[next].links[list].prev = link.prev,
            None => self.lists[list].1 = link.prev,
        }
        self.lists[list].2 -= 1;
    }

    /// Walks a list; the visited member may leave it.
    fn for_each_of(&mut self, list: usize, mut visit: impl FnMut(&mut Self, DefaultKey)) {
        let mut at = self.lists[list].0;
        while let Some(key) = at {
            at = self.objects[key].links[list].next;
            visit(self, key);
        }
    }
}

rolls! { LinkedByHand, "SlotMap linked by hand";
    type Key = DefaultKey;

    fn push(&mut self, number) {
        let key = self.objects.insert(HandLinked { number, ..HandLinked::default() });
        (0..4).for_each(|list| self.link(list, key));
        key
    }
    fn destroy_one(&mut self, key) {
        if self.objects.contains_key(key) {
            (0..4).for_each(|list| self.unlink(list, key));
            self.objects.remove(key);
        }
    }
    fn leave(&mut self, list, every) {
        let mut leaves = each_of(every);
        self.for_each_of(list, |all, key| {
            if leaves() {
                all.unlink(list, key);
            }
        });
    }
    fn destroy(&mut self, every) {
        let mut dies = each_of(every);
        self.for_each_of(0, |all, key| {
            if dies() {
                (0..4).for_each(|list| all.unlink(list, key));
                all.objects.remove(key);
            }
        });
    }
    fn walk(&self, list) {
        let (mut digest, mut at) = (0, self.lists[list].0);
        while let Some(key) = at {
            let member = &self.objects[key];
            digest = mixed(digest, member.number);
            at = member.links[list].next;
        }
        digest
    }
}

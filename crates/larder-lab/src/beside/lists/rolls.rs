//! The lists under measurement: larder's two, those of the standard library, and two written by hand.
//! Each subject is four lists of the objects of one container.

use alloc::collections::LinkedList;

use larder::{
    Arena, Handle,
    trees::{Field, IntrusiveList, KeyList, Link},
};
use slotmap::{DefaultKey, SlotMap};

/// Four lists of objects.
pub(crate) trait Roll: Sized {
    /// What `push` returns.
    type Key: Copy;

    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// Empty lists.
    fn new() -> Self;

    /// A new object, last in all lists.
    fn push(&mut self, number: u32) -> Self::Key;

    /// An object leaves all lists and is removed, if it is there.
    fn destroy_one(&mut self, key: Self::Key);

    /// The last of every so many members leaves this list.
    fn leave(&mut self, list: usize, every: usize);

    /// The last of every so many objects of the first list leaves all lists and is removed.
    fn destroy(&mut self, every: usize);

    /// The digest of a list's objects.
    fn walk(&self, list: usize) -> u64;
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
pub(crate) struct SideLists {
    objects: Arena<u32>,
    lists: [KeyList<Handle<u32>>; 4],
}

impl Roll for SideLists {
    type Key = Handle<u32>;

    const NAME: &'static str = "Arena and KeyList";

    fn new() -> Self {
        Self { objects: Arena::new(), lists: [const { KeyList::new() }; 4] }
    }

    #[inline(always)]
    fn push(&mut self, number: u32) -> Self::Key {
        let key = self.objects.insert(number);
        for list in &mut self.lists {
            list.push_back(&self.objects, key).expect("it is there");
        }
        key
    }

    #[inline(always)]
    fn destroy_one(&mut self, key: Self::Key) {
        for list in &mut self.lists {
            list.remove(key);
        }
        self.objects.remove(key);
    }

    #[inline(never)]
    fn leave(&mut self, list: usize, every: usize) {
        let mut leaves = each_of(every);
        self.lists[list].retain(|_| !leaves());
    }

    #[inline(never)]
    fn destroy(&mut self, every: usize) {
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

    #[inline(never)]
    fn walk(&self, list: usize) -> u64 {
        self.lists[list].iter().fold(0, |digest, key| mixed(digest, self.objects[key]))
    }
}

/// An object with its links in four lists.
#[derive(Default)]
pub(crate) struct Member {
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
pub(crate) struct InObjects {
    objects: Arena<Member>,
    lists: [IntrusiveList<Handle<Member>>; 4],
}

impl Roll for InObjects {
    type Key = Handle<Member>;

    const NAME: &'static str = "Arena and List";

    fn new() -> Self {
        Self { objects: Arena::new(), lists: [0, 1, 2, 3].map(IntrusiveList::numbered) }
    }

    #[inline(always)]
    fn push(&mut self, number: u32) -> Self::Key {
        let key = self.objects.insert(Member { number, ..Member::default() });
        for (at, list) in self.lists.iter_mut().enumerate() {
            list.push_back(&mut in_list!(&mut self.objects, at), key).expect("it is there");
        }
        key
    }

    #[inline(always)]
    fn destroy_one(&mut self, key: Self::Key) {
        for (at, list) in self.lists.iter_mut().enumerate() {
            list.remove(&mut in_list!(&mut self.objects, at), key);
        }
        self.objects.remove(key);
    }

    #[inline(never)]
    fn leave(&mut self, list: usize, every: usize) {
        let mut leaves = each_of(every);
        let objects = &mut in_list!(&mut self.objects, list);
        self.lists[list].retain(objects, |_, _| !leaves());
    }

    #[inline(never)]
    fn destroy(&mut self, every: usize) {
        let mut dies = each_of(every);
        let mut next = self.lists[0].first();
        while let Some(key) = next {
            if !dies() {
                next = self.lists[0].next_key(&in_list!(&self.objects, 0), key);
                continue;
            }
            next = self.lists[0].remove(&mut in_list!(&mut self.objects, 0), key);
            for at in 1..4 {
                self.lists[at].remove(&mut in_list!(&mut self.objects, at), key);
            }
            self.objects.remove(key);
        }
    }

    #[inline(never)]
    fn walk(&self, list: usize) -> u64 {
        let objects = in_list!(&self.objects, list);
        let members = self.lists[list].iter(&objects);
        members.fold(0, |digest, key| mixed(digest, self.objects[key].number))
    }
}

/// Lists of keys of a `SlotMap`, in a collection of the standard library: how a key is pushed, removed,
/// leaves when `leaves()` says so, and how objects are destroyed when `dies()` says so.
macro_rules! lists_of_keys {
    (
        $(#[$doc:meta])* $roll:ident, $name:literal, $list:ident,
        $push:ident,
        remove |$one:ident, $key:ident| $remove:expr,
        leave |$left:ident, $leaves:ident| $leave:expr,
        destroy |$objects:ident, $all:ident, $others:ident, $dies:ident| $destroy:expr
    ) => {
        $(#[$doc])*
        pub(crate) struct $roll {
            objects: SlotMap<DefaultKey, u32>,
            lists: [$list<DefaultKey>; 4],
        }

        impl Roll for $roll {
            type Key = DefaultKey;

            const NAME: &'static str = $name;

            fn new() -> Self {
                Self { objects: SlotMap::new(), lists: [const { $list::new() }; 4] }
            }

            #[inline(always)]
            fn push(&mut self, number: u32) -> Self::Key {
                let key = self.objects.insert(number);
                self.lists.iter_mut().for_each(|list| list.$push(key));
                key
            }

            #[inline(always)]
            fn destroy_one(&mut self, $key: Self::Key) {
                for $one in &mut self.lists {
                    $remove;
                }
                self.objects.remove($key);
            }

            #[inline(never)]
            fn leave(&mut self, list: usize, every: usize) {
                let mut $leaves = each_of(every);
                let $left = &mut self.lists[list];
                $leave;
            }

            #[inline(never)]
            fn destroy(&mut self, every: usize) {
                let mut $dies = each_of(every);
                let ($objects, [$all, $others @ ..]) = (&mut self.objects, &mut self.lists);
                $destroy;
            }

            #[inline(never)]
            fn walk(&self, list: usize) -> u64 {
                self.lists[list].iter().fold(0, |digest, &key| mixed(digest, self.objects[key]))
            }
        }
    };
}

lists_of_keys! {
    /// The standard library's lists, of keys of a `SlotMap`, walked to find the removed objects.
    KeyLists, "SlotMap and LinkedList", LinkedList,
    push_back,
    remove |list, key| list.extract_if(|&mut member| member == key).next(),
    leave |list, leaves| list.extract_if(|_| leaves()).for_each(drop),
    destroy |objects, all, others, dies| {
        for key in all.extract_if(|_| dies()) {
            objects.remove(key);
        }
        for list in others {
            list.extract_if(|&mut key| !objects.contains_key(key)).for_each(drop);
        }
    }
}
lists_of_keys! {
    /// `Vec`s of keys of a `SlotMap`, walked to find the removed objects.
    KeyVecs, "SlotMap and Vec", Vec,
    push,
    remove |list, key| if let Some(at) = list.iter().position(|&member| member == key) {
        list.remove(at);
    },
    leave |list, leaves| list.retain(|_| !leaves()),
    destroy |objects, all, others, dies| {
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
pub(crate) struct LinkedByHand {
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

impl Roll for LinkedByHand {
    type Key = DefaultKey;

    const NAME: &'static str = "SlotMap linked by hand";

    fn new() -> Self {
        Self { objects: SlotMap::new(), lists: [(None, None, 0); 4] }
    }

    #[inline(always)]
    fn push(&mut self, number: u32) -> Self::Key {
        let key = self.objects.insert(HandLinked { number, ..HandLinked::default() });
        (0..4).for_each(|list| self.link(list, key));
        key
    }

    #[inline(always)]
    fn destroy_one(&mut self, key: Self::Key) {
        if self.objects.contains_key(key) {
            (0..4).for_each(|list| self.unlink(list, key));
            self.objects.remove(key);
        }
    }

    #[inline(never)]
    fn leave(&mut self, list: usize, every: usize) {
        let mut leaves = each_of(every);
        self.for_each_of(list, |all, key| {
            if leaves() {
                all.unlink(list, key);
            }
        });
    }

    #[inline(never)]
    fn destroy(&mut self, every: usize) {
        let mut dies = each_of(every);
        self.for_each_of(0, |all, key| {
            if dies() {
                (0..4).for_each(|list| all.unlink(list, key));
                all.objects.remove(key);
            }
        });
    }

    #[inline(never)]
    fn walk(&self, list: usize) -> u64 {
        let (mut digest, mut at) = (0, self.lists[list].0);
        while let Some(key) = at {
            let member = &self.objects[key];
            digest = mixed(digest, member.number);
            at = member.links[list].next;
        }
        digest
    }
}

//! Copies that a program updates from changes: copies of values, as on a GPU, caches and indices, and views by the
//! hundred.

use std::collections::{BTreeMap, BTreeSet};

use larder::indices::{IndexError, MultiIndex, SortedIndex, UniqueIndex};
use larder::track::{Insert, Reversible, Revert, Subscriber, Tracked};
use larder::{Arena, DenseArena, DenseSoaArena, Handle, PagedArena, Pool, SecondaryMap, SoaArena};
use larder_testing::allocator::refusing_after;
use larder_testing::common::{is_thorough, scaled, thorough};

use crate::going_back::{Dice, Plain, Ship, Small, Spot, View};

/// A container of pairs of numbers, and a column of its values beside another.
trait Values: Insert + Revert<Value = Spot> {
    /// True if a value lies where its slot is.
    const BY_SLOT: bool;
    fn write(tracked: &mut Tracked<Self>, key: Self::Key, number: u32);
    /// The value at that place, by which it is copied.
    fn at(&self, place: usize) -> Option<Spot>;
    fn all(&self) -> Vec<(Self::Key, usize)>;
}

macro_rules! values {
    ($($container:ident $by_slot:literal, |$value:ident| $copied:expr, $second:expr,
       |$this:ident, $place:ident| $at:expr, |$key:ident| $of:expr;)*) => {$(
        impl Values for $container<Spot> {
            const BY_SLOT: bool = $by_slot;

            fn write(tracked: &mut Tracked<Self>, key: Handle<Spot>, number: u32) {
                _ = tracked.get_mut(key).map(|$value| $second = number);
            }

            fn at(&self, $place: usize) -> Option<Spot> {
                let $this = self;
                $at.map(|$value| $copied)
            }

            fn all(&self) -> Vec<(Handle<Spot>, usize)> {
                let $this = self;
                $this.keys().map(|$key| ($key, $of)).collect()
            }
        }
    )*};
}

values! {
    Arena true, |it| *it, it.y, |this, place| this.get(this.key_of_slot(place as u32)?), |key| key.slot() as usize;
    PagedArena true, |it| *it, it.y, |this, place| this.get(this.key_of_slot(place as u32)?), |key| key.slot() as usize;
    DenseArena false, |it| *it, it.y, |this, place| this.as_slice().get(place), |key| this.get_index_of(key).unwrap();
    SoaArena true, |it| Spot { x: *it.x, y: *it.y }, *it.y, |this, place| this.get(this.key_of_slot(place as u32)?), |key| key.slot() as usize;
    DenseSoaArena false, |it| Spot { x: *it.x, y: *it.y }, *it.y, |this, place| this.values().nth(place), |key| this.get_index_of(key).unwrap();
}

/// A copy of rows and of each column, that is changed by nothing but copying ranges; those that were changed since.
struct Upload<A: Values> {
    subscriber: Subscriber<A::Key>,
    gap: usize,
    rows: Vec<Spot>,
    numbers: Vec<u32>,
    sizes: Vec<u32>,
    changed: BTreeSet<A::Key>,
}

impl<A: Values> Upload<A>
where
    A::Key: Ord,
{
    fn poll(&mut self, tracked: &mut Tracked<A>) {
        let changes = tracked.poll(&mut self.subscriber).expect("it is its own");
        let ranges: Vec<_> = changes.ranges(self.gap).collect();
        let end = ranges.last().map_or(0, |range| range.end).max(self.rows.len());
        self.rows.resize(end, Spot::default());
        self.numbers.resize(end, 0);
        self.sizes.resize(end, 0);
        for place in ranges.iter().cloned().flatten() {
            // (Holes in between may be copied, too.)
            let Some(value) = tracked.at(place) else {
                assert!(self.gap > 0, "no value has changed at {place}");
                continue;
            };
            self.rows[place] = value;
            (self.numbers[place], self.sizes[place]) = (value.x, value.y);
        }
        let all = tracked.all();
        for &(_, place) in &all {
            let value = tracked.at(place).expect("it is there");
            assert_eq!(self.rows[place], value, "gap {}", self.gap);
            assert_eq!((self.numbers[place], self.sizes[place]), (value.x, value.y));
        }
        if self.gap == 0 {
            // (Packed values are moved by removals of others: those are changes, too.)
            let has_changed = |key| self.changed.contains(key) || !A::BY_SLOT;
            let mut told = changes.inserted().iter().chain(changes.changed());
            assert!(told.clone().all(has_changed), "what was not changed is not told");
            let places: BTreeMap<_, _> = all.into_iter().collect();
            let expected: BTreeSet<_> = told.by_ref().map(|key| places[key]).collect();
            assert!(ranges.into_iter().flatten().eq(expected), "nothing else is in a range");
        }
        self.changed.clear();
    }
}

fn uploads<A: Values>(empty: impl Fn() -> A)
where
    A::Key: Ord,
{
    for seed in 1..=thorough(6, 1) as u64 {
        let (mut dice, mut tracked) = (Dice(seed * 0x9E37_79B9), Tracked::new(empty()));
        let mut keys: Vec<_> =
            (0..200).map(|number| tracked.insert(Spot { x: number, y: 0 })).collect();
        let mut uploads: Vec<Upload<A>> = [0, 1, 7]
            .map(|gap| {
                let subscriber = tracked.subscribe();
                // (Values that were there before it subscribed are copied once.)
                let rows: Vec<_> = (0..200).map(|place| tracked.at(place).unwrap()).collect();
                let numbers = rows.iter().map(|row| row.x).collect();
                let sizes = rows.iter().map(|row| row.y).collect();
                Upload { subscriber, gap, rows, numbers, sizes, changed: BTreeSet::new() }
            })
            .into();
        let mut held = Vec::new();
        for step in 0..scaled(1_500, 120) as u32 {
            let key = keys[dice.below(keys.len())];
            let mut written = Some(key);
            match dice.below(20) {
                0..6 => A::write(&mut tracked, key, step),
                6..9 => drop(tracked.remove(key)),
                9..12 => {
                    keys.push(tracked.insert(Spot { x: step, y: step }));
                    written = keys.last().copied();
                }
                12 => held.push((tracked.checkpoint(), BTreeSet::new())),
                13 if !held.is_empty() => {
                    held.truncate(dice.below(held.len()) + 1);
                    let (to, since) = &held[held.len() - 1];
                    tracked.rollback(*to).expect("it is held");
                    uploads.iter_mut().for_each(|upload| upload.changed.extend(since));
                }
                14..18 => {
                    let upload = dice.below(uploads.len());
                    uploads[upload].poll(&mut tracked);
                    written = None;
                }
                _ => written = None,
            }
            if let Some(key) = written {
                uploads.iter_mut().for_each(|upload| _ = upload.changed.insert(key));
                held.iter_mut().for_each(|(_, since)| _ = since.insert(key));
            }
        }
        uploads.iter_mut().for_each(|upload| upload.poll(&mut tracked));
    }
}

#[test]
fn ranges_copied_keep_a_copy_alike() {
    uploads(Arena::new);
    uploads(PagedArena::new);
    uploads(DenseArena::new);
    uploads(SoaArena::new);
    uploads(DenseSoaArena::new);
}

/// A cache of what takes long to compute, made again of what changed.
#[test]
fn a_cache_of_what_changed_is_that_of_all() {
    type Id = Handle<Ship>;

    let text = |ship: &Ship| format!("{ship:?} is drawn");
    for seed in 1..=thorough(8, 1) as u64 {
        let (mut dice, mut ships) = (Dice(seed * 77), Tracked::new(DenseArena::<Ship>::new()));
        let mut keys: Vec<Id> = (0..30).map(|number| ships.insert(Ship::new(number))).collect();
        let mut subscriber = ships.subscribe();
        let mut cache: SecondaryMap<Id, String> =
            ships.iter().map(|(key, ship)| (key, text(ship))).collect();
        for step in 0..scaled(1_000, 100) as u64 {
            let key = keys[dice.below(keys.len())];
            match dice.below(12) {
                0..3 => keys.push(ships.insert(Ship::new(step))),
                3..5 => drop(ships.remove(key)),
                5..8 => drop(ships.get_mut(key).map(|ship| *ship = Ship::new(step))),
                8 => drop(ships.checkpoint()),
                9 => drop(ships.undo()),
                10 => drop(ships.redo()),
                _ => {
                    let changes = ships.poll(&mut subscriber).expect("it is its own");
                    changes.removed().iter().for_each(|&key| drop(cache.remove(key)));
                    for &key in changes.inserted().iter().chain(changes.changed()) {
                        cache.insert(key, text(&ships[key]));
                    }
                    assert_eq!(cache.len(), ships.len());
                    assert!(ships.iter().all(|(key, ship)| cache.get(key) == Some(&text(ship))));
                }
            }
        }
    }
}

/// A row that was not filed, because another has its property or since allocation failed, is filed by filling the index
/// anew.
#[test]
fn a_refresh_that_is_refused_is_mended_by_filling_anew() {
    let mut birds = Tracked::new(Arena::from_iter(0..50_u32));
    let keys: Vec<_> = birds.keys().collect();
    let mut subscriber = birds.subscribe();
    let mut unique = UniqueIndex::by(|number: &u32| *number);
    unique.fill(&*birds).expect("all are different");
    *birds.get_mut(keys[3]).expect("it is there") = 40;
    *birds.get_mut(keys[5]).expect("it is there") = 100;
    birds.remove(keys[7]);
    let refused = birds.poll(&mut subscriber).expect("it is its own").refresh(&mut unique, &*birds);
    assert!(matches!(refused, Err(IndexError::Duplicate { .. })), "{refused:?}");
    assert!(unique.fill(&*birds).is_err(), "there are two of them still");
    *birds.get_mut(keys[3]).expect("it is there") = 101;
    unique.fill(&*birds).expect("all are different");
    unique.validate();
    assert!(birds.iter().all(|(key, number)| unique.get(number) == Some(key)));
    assert_eq!(unique.len(), birds.len());

    let mut refusals = 0;
    for grants in 0.. {
        let mut birds = Tracked::new(Arena::from_iter(0..50_u32));
        let mut subscriber = birds.subscribe();
        let mut unique = UniqueIndex::by(|number: &u32| *number);
        let mut multi = MultiIndex::by(|number: &u32| number % 7);
        let mut sorted = SortedIndex::by(|number: &u32| number / 3);
        unique.fill(&*birds).expect("all are different");
        multi.fill(&*birds).expect("there is memory");
        sorted.fill(&*birds).expect("there is memory");
        birds.iter_mut().for_each(|(_, number)| *number += 1_000);
        (0..100).for_each(|number| _ = birds.insert(number));
        let changes = birds.poll(&mut subscriber).expect("it is its own");
        let (_, outcome) = refusing_after(grants, true, || {
            changes.refresh(&mut unique, &*birds)?;
            changes.refresh(&mut multi, &*birds)?;
            changes.refresh(&mut sorted, &*birds)
        });
        if outcome.is_ok() {
            break;
        }
        assert!(matches!(outcome, Err(IndexError::Memory(_))), "{outcome:?}");
        refusals += 1;
        unique.fill(&*birds).expect("all are different");
        multi.fill(&*birds).expect("there is memory");
        sorted.fill(&*birds).expect("there is memory");
        unique.validate();
        multi.validate();
        sorted.validate();
        assert_eq!([unique.len(), multi.len(), sorted.len()], [birds.len(); 3]);
        for (key, number) in birds.iter() {
            assert_eq!(unique.get(number), Some(key));
            assert!(multi.get(&(number % 7)).contains(&key));
            assert!(sorted.get(&(number / 3)).contains(&key));
        }
    }
    assert!(refusals > 2, "{refusals}");
}

/// Each has seen all that changed, and nothing twice, whenever it asks.
fn a_hundred_views<A: Plain>() {
    let (mut dice, mut tracked) = (Dice(0x1234_5678), Tracked::new(A::make(larder::Reuse::Packed)));
    let mut keys: Vec<A::Key> = (0..60).map(|number| tracked.insert(Ship::new(number))).collect();
    let mut views: Vec<(usize, View<A>)> = Vec::new();
    let mut polls = [0; 100];
    for step in 0..scaled(2_000, 150) {
        let key = keys[dice.below(keys.len())];
        match dice.below(10) {
            0..3 => keys.push(tracked.insert(Ship::new(step as u64))),
            3..5 => drop(tracked.remove(key)),
            5..8 => drop(A::rename_tracked(&mut tracked, key, step as u64)),
            8 => drop(tracked.checkpoint()),
            _ => drop(tracked.undo()),
        }
        if step % 3 == 0 && views.len() < 100 {
            let seen = tracked.entries().into_iter().collect();
            views.push((step, View { subscriber: tracked.subscribe(), seen }));
        }
        // The first asks every 10 steps, the last every 307.
        for (number, (begun, view)) in views.iter_mut().enumerate() {
            if step > *begun && (step - *begun) % (10 + 3 * number) == 0 {
                view.poll(&mut tracked);
                polls[number] += 1;
            }
        }
    }
    views.iter_mut().for_each(|(_, view)| view.poll(&mut tracked));
    let often = polls.iter().filter(|&&polls| polls > 4).count();
    assert!(cfg!(miri) || views.len() == 100 && often == 100, "{polls:?}");
}

#[test]
fn a_hundred_subscribers_ask_at_different_times() {
    a_hundred_views::<DenseArena<Ship>>();
    if is_thorough() {
        a_hundred_views::<Arena<Ship, Small>>();
        a_hundred_views::<Pool<Ship, Small>>();
        a_hundred_views::<SoaArena<Ship, Small>>();
    }
}

//! A repeated simulation leads to the same bytes: a container that went another way, was rolled back and took the steps
//! of a straight run is saved as that is, byte by byte, after the same keys; and so is its replica.

use core::fmt::Debug;
use std::io::Cursor;

use larder::key::{BareHandle, Serial};
use larder::snapshot::{Save, Saver};
use larder::track::{Insert, Replica, Reversible, Revert, Tracked};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle32, InlineArena, Key, PagedArena, Pool, Reuse, SoaArena,
};
use larder_testing::common::{REUSE_ORDERS, thorough};

use crate::going_back::{Dice, Spot};

/// A container that is tracked and saved.
trait Simulated: Insert + Revert<Value = Spot, Key: Debug> + Save + Clone {
    fn empty(reuse: Reuse) -> Self;
    fn nudge(of: &mut Tracked<Self>, key: Self::Key, x: u32);
}

macro_rules! simulated {
    ($([$($generics:tt)*] $container:ty, |$spot:ident| $x:expr, |$reuse:ident| $make:expr;)*) => {$(
        impl<$($generics)*> Simulated for $container {
            fn empty($reuse: Reuse) -> Self {
                $make
            }
            fn nudge(of: &mut Tracked<Self>, key: K, x: u32) {
                if let Some($spot) = of.get_mut(key) {
                    $x = x;
                }
            }
        }
    )*};
}

simulated! {
    [K: Key + Debug] Arena<Spot, K>, |spot| spot.x, |reuse| Self::builder_with_key().reuse(reuse).build();
    [K: Key + Debug] PagedArena<Spot, K>, |spot| spot.x, |reuse| Self::builder_with_key().reuse(reuse).build();
    [K: Key + Debug] DenseArena<Spot, K>, |spot| spot.x, |reuse| Self::builder_with_key().reuse(reuse).build();
    [K: Key + Debug] SoaArena<Spot, K>, |spot| *spot.x, |reuse| Self::builder_with_key().reuse(reuse).build();
    [K: Key + Debug] DenseSoaArena<Spot, K>, |spot| *spot.x, |reuse| Self::builder_with_key().reuse(reuse).build();
    [K: Key + Debug] Pool<Spot, K>, |spot| spot.x,
        |reuse| Self::builder_with_key(Spot::default).reuse(reuse).capacity(2_000).build();
    [const N: usize, K: Key + Debug] InlineArena<Spot, N, K>, |spot| spot.x, |_reuse| Self::with_key();
}

fn saved(container: &dyn Save) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    Saver::new().section("it", container).write_to(&mut file).expect("there is memory");
    file.into_inner()
}

/// Some steps of a simulation, which follow from the seed; the keys that were handed out are appended.
fn simulate<A: Simulated>(of: &mut Tracked<A>, keys: &mut Vec<A::Key>, seed: u64, steps: usize) {
    let mut dice = Dice(seed * 2 + 0x9E37_79B9_7F4A_7C15);
    for step in 0..steps as u32 {
        let key = if keys.is_empty() { A::Key::DANGLING } else { keys[dice.below(keys.len())] };
        match dice.below(20) {
            0..9 => keys.push(of.insert(Spot { x: step, y: seed as u32 })),
            9..15 => drop(of.remove(key)),
            15 => drop(of.detach(key)),
            // (Many holes, whose order is a part of what is saved.)
            16 if keys.len() > 10 => {
                (0..12).for_each(|_| _ = of.remove(keys[dice.below(keys.len())]));
            }
            17 => drop(of.reattach(key, Spot { x: step, y: 7 })),
            _ => A::nudge(of, key, step),
        }
    }
}

fn goes_the_same_way<A: Simulated>() {
    for (number, reuse) in REUSE_ORDERS.into_iter().enumerate() {
        for seed in 1..=thorough(10, 1) as u64 {
            let (mut dice, mut keys) = (Dice(seed * 3 + number as u64), Vec::new());
            let mut straight = Tracked::new(A::empty(reuse));
            simulate(&mut straight, &mut keys, seed, dice.below(200));
            let (mut other, mut others) = (Tracked::new((*straight).clone()), keys.clone());
            let mut publisher = other.publish(seed).expect("there is memory");
            let mut replica = Replica::new(A::empty(reuse));
            for round in 0..thorough(12, 3) as u64 {
                let (seed, steps) = (seed + round * 1_000, dice.below(80));
                let (then, bytes) = (other.checkpoint(), saved(&*other));
                for attempt in 0..2 {
                    simulate(&mut other, &mut others.clone(), seed + 77 + attempt, dice.below(160));
                    if dice.below(2) == 0 {
                        let delta = other.delta(&mut publisher).expect("there is memory");
                        assert_eq!(replica.apply(&delta), Ok(()));
                    }
                    other.rollback(then).expect("it is held");
                    assert!(saved(&*other) == bytes, "{reuse:?}, seed {seed}: as it was");
                }
                simulate(&mut straight, &mut keys, seed, steps);
                simulate(&mut other, &mut others, seed, steps);
                assert_eq!(others, keys, "the same keys were handed out");
                let bytes = saved(&*straight);
                assert!(saved(&*other) == bytes, "{reuse:?}, seed {seed}: the same bytes");
                let delta = other.delta(&mut publisher).expect("there is memory");
                assert_eq!(replica.apply(&delta), Ok(()));
                assert!(saved(&*replica) == bytes, "{reuse:?}, seed {seed}: the replica's bytes");
            }
        }
    }
}

macro_rules! each {
    ($($name:ident: $($container:ty),*;)*) => {$(
        #[test]
        fn $name() {
            $(goes_the_same_way::<$container>();)*
        }
    )*};
}

each! {
    arenas_go_the_same_way: Arena<Spot>, Arena<Spot, Handle32<Spot, 29>>, Arena<Spot, BareHandle<Spot>>;
    paged_arenas_go_the_same_way: PagedArena<Spot>;
    inline_arenas_go_the_same_way: InlineArena<Spot, 900>;
    pools_go_the_same_way: Pool<Spot>;
    packed_values_go_the_same_way: DenseArena<Spot>, DenseArena<Spot, Serial<Spot>>,
        DenseSoaArena<Spot, Handle32<Spot, 29>>;
    columns_go_the_same_way: SoaArena<Spot, Serial<Spot>>;
}

/// The values that a pool has made stay, as it says; all else is as it was.
#[test]
fn a_pool_keeps_what_it_has_made() {
    let mut pool = Tracked::new(Pool::<Spot>::new(Spot::default));
    let first = pool.insert(Spot { x: 1, y: 1 });
    let (then, made) = (pool.checkpoint(), pool.slots().len());
    let keys = [2, 3, 4].map(|x| pool.insert(Spot { x, y: x }));
    pool.rollback(then).expect("it is held");
    assert_eq!((pool.slots().len(), pool.stats().slots), (made + 3, 1));
    assert_eq!((pool[first].x, &pool.slots()[made..]), (1, &[Spot::default(); 3][..]));
    assert_eq!([2, 3, 4].map(|x| pool.insert(Spot { x, y: x })), keys);
}

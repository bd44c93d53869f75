//! The replay itself: one container per size class, and the loops under the clock.
//!
//! A program knows at each allocation what it makes; here the class comes from the recording, so every
//! event costs a branch that is hard to predict. It is the same for every container, and so is the table
//! of handles, but for the size of the container's own handles.

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::time::Duration;
use std::time::Instant;

use super::plan::{Plan, Step, Sums, mix};
use crate::measure::allocator;
use crate::stores::{
    self, Bytes16, Bytes32, Bytes64, Bytes128, Bytes256, Bytes512, Bytes1024, Element, Store,
};

/// A container for any type of element: what [`Store`] is for one.
trait Family {
    /// The container for elements of this type.
    type Of<T: Element>: Store<T>;
}

/// A container that replays.
pub(super) struct Subject {
    pub(super) package: &'static str,
    pub(super) name: &'static str,
    /// Both, in lines short enough for a column of figures.
    pub(super) heading: &'static str,
    /// Replays a recording once through fresh containers of this kind.
    pub(super) replay: fn(&Plan) -> Run,
}

impl Subject {
    /// Returns whether it is larder's own.
    pub(super) fn is_ours(&self) -> bool {
        self.package == "larder"
    }
}

/// Makes a family of each named container, and the line-up of them all.
macro_rules! lineup {
    ($($package:literal: $container:ident as $heading:literal,)*) => {
        $(
            struct $container;

            impl Family for $container {
                type Of<T: Element> = stores::$container<T>;
            }
        )*

        /// All containers that replay: larder's and their rivals, in the order of the tables.
        pub(super) const LINEUP: &[Subject] = &[$(
            Subject {
                package: $package,
                name: <stores::$container<u32> as Store<u32>>::NAME,
                heading: $heading,
                replay: replay::<$container>,
            },
        )*];
    };
}

lineup! {
    "larder": Arena as "larder\nArena",
    "larder": DenseArena as "larder\nDense\nArena",
    "slotmap": SlotMap as "slotmap\nSlotMap",
    "slotmap": DenseSlotMap as "slotmap\nDense\nSlotMap",
    "thunderdome": Thunderdome as "thunder-\ndome",
    "slab": Slab as "slab",
    "generational-arena": GenerationalArena as "genera-\ntional-\narena",
    "gen_map": GenMap as "gen_map",
}

/// The result of one replay of one recording through one kind of container.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// The time of insertions and removals, each removal with one look-up of the stale handle.
    pub(super) events: Duration,
    pub(super) lookups: Duration,
    pub(super) walks: Duration,
    pub(super) sums: Sums,
    /// Stale handles that found a value right after the removal.
    pub(super) wrong_at_once: u64,
    /// Stale handles that found a value at the end of their window.
    pub(super) wrong_later: u64,
    /// The containers' bytes, added up over all walks.
    pub(super) bytes_at_walks: u64,
    /// The most bytes that the containers had at once.
    pub(super) peak_bytes: u64,
}

/// Replays a recording once through fresh containers.
fn replay<F: Family>(plan: &Plan) -> Run {
    let mut run = Run::default();
    let (mut shelves, others_bytes) = Shelves::<F>::new(plan);
    // The containers must be in memory, as a program's are, not in registers.
    let shelves = black_box(&mut shelves);
    let own = |bytes| allocator::bytes_since(others_bytes, bytes) as u64;
    for window in &plan.windows {
        shelves.events(&plan.steps[window.steps.clone()], &mut run);
        if window.whole {
            run.bytes_at_walks += own(allocator::live_bytes());
            shelves.walk(&mut run);
            shelves.lookups(&plan.lookups[window.lookups.clone()], &mut run);
        }
        shelves.dead_handles(&plan.steps[window.steps.clone()], &mut run);
        run.sums.live += shelves.len() as u64;
    }
    run.peak_bytes = own(allocator::peak_bytes());
    run
}

/// The container of one size class, and the handles of all objects that were ever in it.
struct Shelf<T: Element, S: Store<T>> {
    store: S,
    keys: Vec<S::Key>,
    element: PhantomData<T>,
}

impl<T: Element, S: Store<T>> Shelf<T, S> {
    fn new(keys: Vec<S::Key>) -> Self {
        Self { store: S::new(), keys, element: PhantomData }
    }

    #[inline(always)]
    fn allocate(&mut self, number: u64) {
        let key = self.store.insert(T::new(number));
        self.keys.push(key);
    }

    /// Removes an object, and looks it up again at once: its number, if there was one, and whether the stale handle
    /// found a value.
    #[inline(always)]
    fn free(&mut self, ordinal: usize) -> (Option<u64>, bool) {
        let key = self.keys[ordinal];
        let number = self.store.remove(key).map(|value| value.number());
        (number, self.store.get(key).is_some())
    }

    #[inline(always)]
    fn get(&self, ordinal: usize) -> Option<u64> {
        self.store.get(self.keys[ordinal]).map(T::number)
    }

    fn sum(&self) -> u64 {
        let mut sum = 0_u64;
        self.store.for_each(|value| sum = sum.wrapping_add(value.number()));
        sum
    }
}

/// Declares a shelf for each size class, and a macro for work on the shelf of a class known only at run time.
macro_rules! shelves {
    (($d:tt) $($class:literal: $shelf:ident of $element:ty,)*) => {
        macro_rules! on_shelf {
            ($d shelves:ident, $d step:ident, $d method:ident($d argument:expr)) => {
                match $d step.class() {
                    $($class => $d shelves.$shelf.$d method($d argument),)*
                    _ => unreachable!("a class past the largest"),
                }
            };
        }

        /// One container per size class.
        struct Shelves<F: Family> {
            $($shelf: Shelf<$element, F::Of<$element>>,)*
        }

        impl<F: Family> Shelves<F> {
            /// Empty containers, and the bytes in use that are not theirs.
            fn new(plan: &Plan) -> (Self, isize) {
                $(let $shelf = table(plan.objects[$class]);)*
                let others_bytes = allocator::live_bytes();
                allocator::reset_peak();
                let shelves = Self { $($shelf: Shelf::new($shelf),)* };
                (shelves, others_bytes)
            }

            fn sum(&self) -> u64 {
                0_u64$(.wrapping_add(self.$shelf.sum()))*
            }

            fn len(&self) -> usize {
                0$( + self.$shelf.store.len())*
            }

            /// The number of objects allocated so far.
            fn made(&self) -> usize {
                0$( + self.$shelf.keys.len())*
            }
        }
    };
}

shelves! { ($)
    0: bytes_16 of Bytes16,
    1: bytes_32 of Bytes32,
    2: bytes_64 of Bytes64,
    3: bytes_128 of Bytes128,
    4: bytes_256 of Bytes256,
    5: bytes_512 of Bytes512,
    6: bytes_1024 of Bytes1024,
}

/// The parts of a window. Each is a loop of its own and not inlined, so that the clock is read twice per
/// part and never within it.
impl<F: Family> Shelves<F> {
    #[inline(never)]
    fn events(&mut self, steps: &[Step], run: &mut Run) {
        let mut number = self.made() as u64;
        let mut removed = run.sums.removed;
        let mut wrong = 0;
        let start = Instant::now();
        for &step in steps {
            if step.is_free() {
                let (freed, still_answers) = on_shelf!(self, step, free(step.ordinal()));
                removed = mix(removed, freed.unwrap_or(0));
                wrong += u64::from(still_answers);
            } else {
                number += 1;
                on_shelf!(self, step, allocate(number));
            }
        }
        run.events += start.elapsed();
        run.sums.removed = removed;
        run.wrong_at_once += wrong;
    }

    #[inline(never)]
    fn walk(&self, run: &mut Run) {
        let start = Instant::now();
        let sum = black_box(self.sum());
        run.walks += start.elapsed();
        run.sums.walked = run.sums.walked.wrapping_add(sum);
    }

    #[inline(never)]
    fn lookups(&self, steps: &[Step], run: &mut Run) {
        let mut found = run.sums.found;
        let start = Instant::now();
        for &step in steps {
            let value: Option<u64> = on_shelf!(self, step, get(step.ordinal()));
            found = mix(found, value.unwrap_or(0));
        }
        run.lookups += start.elapsed();
        run.sums.found = found;
    }

    /// Looks up everything that was removed in this window again: its slot may hold another value.
    #[inline(never)]
    fn dead_handles(&self, steps: &[Step], run: &mut Run) {
        let gone = steps.iter().filter(|step| step.is_free());
        let answers = gone.filter(|step| on_shelf!(self, step, get(step.ordinal())).is_some());
        run.wrong_later += answers.count() as u64;
    }
}

/// Room for so many handles, with its pages touched, so that the system's work is not timed.
fn table<K>(count: usize) -> Vec<K> {
    let mut keys = Vec::with_capacity(count);
    for room in keys.spare_capacity_mut() {
        *room = MaybeUninit::zeroed();
    }
    black_box(&mut keys);
    keys
}

//! A recording prepared for replay: everything that must not be computed while the clock runs.

use core::ops::Range;

use crate::trace::{Event, Trace};

/// The sizes of the size classes; larger objects count as the last.
pub(super) const CLASS_BYTES: [u32; 7] = [16, 32, 64, 128, 256, 512, 1024];

pub(super) struct Plan {
    /// One step per event.
    pub(super) steps: Vec<Step>,
    /// The objects to look up, window after window.
    pub(super) lookups: Vec<Step>,
    /// The part of `steps` and `lookups` of each window.
    pub(super) windows: Vec<Window>,
    /// The number of objects of each class.
    pub(super) objects: [usize; CLASS_BYTES.len()],
    /// The answers that every container must give.
    pub(super) expected: Sums,
}

/// Consecutive events, and what is done after them.
pub(super) struct Window {
    pub(super) steps: Range<usize>,
    pub(super) lookups: Range<usize>,
    /// True if it is a whole window, after which there is a walk and look-ups.
    pub(super) whole: bool,
    /// The number of live objects after it.
    pub(super) live: usize,
    /// The bytes of those objects' values.
    pub(super) live_bytes: u64,
}

/// An event in 32 bits: whether the object is freed, its class, and its number within the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u32);

const FREE: u32 = 1 << 31;
const CLASS_SHIFT: u32 = 28;

impl Step {
    /// This object of this class is allocated.
    fn allocate(class: usize, ordinal: usize) -> Self {
        debug_assert!(class < CLASS_BYTES.len() && ordinal < 1 << CLASS_SHIFT);
        Self((class as u32) << CLASS_SHIFT | ordinal as u32)
    }

    /// The same object is freed.
    fn free(self) -> Self {
        Self(self.0 | FREE)
    }

    pub(super) fn is_free(self) -> bool {
        self.0 & FREE != 0
    }

    pub(super) fn class(self) -> usize {
        ((self.0 & !FREE) >> CLASS_SHIFT) as usize
    }

    /// The object's number among the objects of its class.
    pub(super) fn ordinal(self) -> usize {
        (self.0 & ((1 << CLASS_SHIFT) - 1)) as usize
    }
}

/// Checksums of a replay, which must be the same for every container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// The sum of the removed values, in order.
    pub(super) removed: u64,
    /// The sum of the walked values, in any order.
    pub(super) walked: u64,
    /// The sum of the looked-up values, in order.
    pub(super) found: u64,
    /// The sum of the containers' lengths after every window.
    pub(super) live: u64,
}

/// Adds a value to a sum that depends on the order.
pub(super) fn mix(sum: u64, number: u64) -> u64 {
    sum.rotate_left(5) ^ number
}

fn class_of(bytes: u32) -> usize {
    let class = CLASS_BYTES.iter().position(|&class_bytes| bytes <= class_bytes);
    class.unwrap_or(CLASS_BYTES.len() - 1)
}

impl Plan {
    /// Prepares a recording, to be walked after every `window` events.
    pub(super) fn new(trace: &Trace, window: usize) -> Self {
        let mut planner = Planner::new(trace);
        for events in trace.events.chunks(window) {
            for &event in events {
                planner.step(event);
            }
            planner.close_window(events.len() == window, window);
        }
        planner.plan
    }
}

/// The state of [`Plan::new`] within a recording.
struct Planner {
    plan: Plan,
    /// Every object so far, as the step that allocated it.
    made: Vec<Step>,
    /// Objects in the order in which they are freed.
    departures: Vec<usize>,
    departed: usize,
    live: usize,
    live_bytes: u64,
    /// The sum of the numbers of all live objects.
    live_numbers: u64,
}

impl Planner {
    fn new(trace: &Trace) -> Self {
        let freed = |event: &Event| match *event {
            Event::Free { object } => Some(object as usize),
            Event::Allocate { .. } => None,
        };
        Self {
            plan: Plan {
                steps: Vec::with_capacity(trace.events.len()),
                lookups: Vec::new(),
                windows: Vec::new(),
                objects: [0; CLASS_BYTES.len()],
                expected: Sums::default(),
            },
            made: Vec::with_capacity(trace.objects),
            departures: trace.events.iter().filter_map(freed).collect(),
            departed: 0,
            live: 0,
            live_bytes: 0,
            live_numbers: 0,
        }
    }

    fn step(&mut self, event: Event) {
        let step = match event {
            Event::Allocate { bytes } => self.allocate(bytes),
            Event::Free { object } => self.free(object as usize),
        };
        self.plan.steps.push(step);
    }

    fn allocate(&mut self, bytes: u32) -> Step {
        let class = class_of(bytes);
        let step = Step::allocate(class, self.plan.objects[class]);
        self.plan.objects[class] += 1;
        self.made.push(step);
        self.live += 1;
        self.live_bytes += u64::from(CLASS_BYTES[class]);
        self.live_numbers = self.live_numbers.wrapping_add(self.made.len() as u64);
        step
    }

    fn free(&mut self, object: usize) -> Step {
        let step = self.made[object];
        self.departed += 1;
        self.live -= 1;
        self.live_bytes -= u64::from(CLASS_BYTES[step.class()]);
        let number = number_of(object);
        self.live_numbers = self.live_numbers.wrapping_sub(number);
        let expected = &mut self.plan.expected;
        expected.removed = mix(expected.removed, number);
        step.free()
    }

    /// Ends a window: after a whole one there is a walk, and as many look-ups as it had events, of
    /// live objects in the order in which they will be freed.
    fn close_window(&mut self, whole: bool, lookups: usize) {
        let first_step = self.plan.windows.last().map_or(0, |last| last.steps.end);
        let first_lookup = self.plan.lookups.len();
        self.plan.expected.live += self.live as u64;
        if whole {
            let walked = &mut self.plan.expected.walked;
            *walked = walked.wrapping_add(self.live_numbers);
            self.plan_lookups(lookups);
        }
        self.plan.windows.push(Window {
            steps: first_step..self.plan.steps.len(),
            lookups: first_lookup..self.plan.lookups.len(),
            whole,
            live: self.live,
            live_bytes: self.live_bytes,
        });
    }

    fn plan_lookups(&mut self, at_most: usize) {
        let next_to_go = self.departures[self.departed..].iter();
        // Those that are made already.
        for object in next_to_go.filter(|&&object| object < self.made.len()).take(at_most) {
            let found = &mut self.plan.expected.found;
            *found = mix(*found, number_of(*object));
            self.plan.lookups.push(self.made[*object]);
        }
    }
}

/// The number in an object's value: from 1, so that each changes a sum.
fn number_of(object: usize) -> u64 {
    object as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_remembers_what_it_is_made_of() {
        let step = Step::allocate(6, (1 << CLASS_SHIFT) - 1);
        assert!(!step.is_free());
        assert_eq!((step.class(), step.ordinal()), (6, (1 << CLASS_SHIFT) - 1));
        let gone = step.free();
        assert!(gone.is_free());
        assert_eq!((gone.class(), gone.ordinal()), (6, (1 << CLASS_SHIFT) - 1));
    }

    #[test]
    fn objects_fall_into_the_smallest_class_that_holds_them() {
        let classes: Vec<_> = [0, 16, 17, 32, 33, 1024, 1025, u32::MAX].map(class_of).to_vec();
        assert_eq!(classes, [0, 0, 1, 1, 2, 6, 6, 6]);
    }

    /// Objects 0 and 1 come; 0 goes, 2 comes; 1 goes, and 2 stays for good.
    fn short_trace() -> Trace {
        Trace {
            name: "short".into(),
            about: String::new(),
            events: vec![
                Event::Allocate { bytes: 16 },
                Event::Allocate { bytes: 100 },
                Event::Free { object: 0 },
                Event::Allocate { bytes: 8 },
                Event::Free { object: 1 },
            ],
            objects: 3,
            peak_live: 2,
        }
    }

    #[test]
    fn look_ups_are_of_live_objects_in_the_order_in_which_they_go() {
        let plan = Plan::new(&short_trace(), 2);
        let first = Step::allocate(0, 0);
        let second = Step::allocate(3, 0);
        assert_eq!(plan.lookups, [first, second, second]);
        let shapes: Vec<_> = plan
            .windows
            .iter()
            .map(|window| (window.steps.clone(), window.lookups.clone(), window.whole))
            .collect();
        assert_eq!(shapes, [(0..2, 0..2, true), (2..4, 2..3, true), (4..5, 3..3, false)]);
    }

    #[test]
    fn what_is_expected_follows_from_the_recording() {
        let plan = Plan::new(&short_trace(), 2);
        let expected = Sums {
            removed: mix(mix(0, 1), 2),
            walked: (1 + 2) + (2 + 3),
            found: mix(mix(mix(0, 1), 2), 2),
            live: 2 + 2 + 1,
        };
        assert_eq!(plan.expected, expected);
        assert_eq!(plan.objects, [2, 0, 0, 1, 0, 0, 0]);
        assert_eq!(plan.windows[1].live_bytes, 128 + 16);
    }
}

//! Rows as columns for a while: rows B58 and B59.

use core::mem::MaybeUninit;

use larder::soa;
use larder::{Arena, DenseArena, Handle, InlineArena, PagedArena, Pool};

use larder_testing::caught::{panic_of, panicking_after, step};
use larder_testing::common::{allocations_of, scaled};
use larder_testing::touchy::{Nerve, Touchy, count_alive, forget_all, set_nerve};
use larder_testing::values::{Value, Wide};

/// A row whose most part no column needs, and that cannot be copied.
#[derive(Debug, Default, PartialEq)]
struct Particle {
    name: String,
    place: f32,
    speed: f32,
    age: u16,
}

impl Particle {
    fn of(number: u16) -> Self {
        let (place, speed) = (f32::from(number), f32::from(number % 7));
        Self { name: format!("particle {number}"), place, speed, age: number % 10 }
    }
}

/// The containers of rows, each with `$count` particles of which every third was removed.
macro_rules! for_each_container {
    ($count:expr, $arena:ident => $body:block) => {{
        let count: u16 = $count;
        for_each_container!(@ Arena::new(), count, $arena, $body);
        for_each_container!(@ DenseArena::new(), count, $arena, $body);
        for_each_container!(@ PagedArena::new(), count, $arena, $body);
        for_each_container!(@ Pool::new(Particle::default), count, $arena, $body);
        let inline = InlineArena::<Particle, 1_000>::new();
        for_each_container!(@ inline, count.min(1_000), $arena, $body);
    }};
    (@ $made:expr, $count:expr, $arena:ident, $body:block) => {{
        let mut $arena = $made;
        $arena.extend((0..$count).map(Particle::of));
        $arena.retain(|_, particle| particle.place % 3.0 != 1.0);
        $body
        $arena.validate();
    }};
}

#[test]
fn b58_all_some_or_no_fields_are_written_back() {
    for_each_container!(scaled(9_000, 300) as u16, arena => {
        let tick = |particle: &Particle| (particle.place + particle.speed, particle.age + 1);
        let ticked: Vec<_> = arena.values().map(tick).collect();
        let names: Vec<_> = arena.values().map(|particle| particle.name.clone()).collect();

        // All that was computed.
        soa::gather_mut(&mut arena, |_, particle| (particle.place, particle.speed, particle.age),
            |(places, speeds, ages)| {
                places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
                ages.iter_mut().for_each(|age| *age += 1);
            },
            |particle, (place, _, age)| (particle.place, particle.age) = (place, age),
        );
        assert!(arena.values().map(|particle| (particle.place, particle.age)).eq(ticked));

        // Some of it.
        let before: Vec<_> = arena.values().map(|particle| particle.place).collect();
        soa::gather_mut(&mut arena, |_, particle| (particle.place, particle.age),
            |(places, ages)| {
                places.fill(-1.0);
                ages.fill(7);
            },
            |particle, (_, age)| particle.age = age,
        );
        assert!(arena.values().map(|particle| particle.place).eq(before.iter().copied()));
        assert!(arena.values().all(|particle| particle.age == 7));

        // A key can be a column, too.
        let mut keys: Vec<Handle<Particle>> = Vec::new();
        soa::gather(&arena, |key, _| key, |column| keys.extend_from_slice(column));
        assert!(arena.keys().eq(keys));

        // Nothing.
        let mut sum = 0.0;
        soa::gather(&arena, |_, particle| f64::from(particle.place),
            |places| {
                sum += places.iter().sum::<f64>();
                places.fill(0.0);
            },
        );
        assert_eq!(sum, before.iter().copied().map(f64::from).sum::<f64>());
        assert!(arena.values().map(|particle| particle.place).eq(before));
        assert!(arena.values().map(|particle| &particle.name).eq(&names));
    });
}

/// Memory for a scratch of the caller's own.
#[repr(align(64))]
struct Own([MaybeUninit<u8>; 40_000]);

impl Own {
    fn new() -> Box<Self> {
        Box::new(Self([MaybeUninit::uninit(); 40_000]))
    }
}

#[test]
fn b59_16_kib_at_a_time_and_no_allocation() {
    for_each_container!(scaled(20_000, 4_000) as u16, arena => {
        let (mut passes, mut seen) = (0, 0);
        let allocations = allocations_of(|| {
            soa::gather(&arena, |_, particle| (particle.place, particle.speed),
                |(places, speeds)| {
                    assert_eq!(places.len(), speeds.len());
                    assert!(size_of_val(places) + size_of_val(speeds) <= 16 << 10);
                    passes += 1;
                    seen += places.len();
                },
            );
        });
        assert_eq!(seen, arena.len());
        // The gaps between columns are less than a sixteenth.
        assert!(passes <= (seen * 8).div_ceil(15 << 10), "{passes} passes over {seen}");

        let allocations_to_change = allocations_of(|| {
            soa::gather_mut(&mut arena, |_, particle| (particle.place, particle.speed),
                |(places, speeds)| {
                    places.iter_mut().zip(speeds).for_each(|(place, speed)| *place += *speed);
                },
                |particle, (place, _)| particle.place = place,
            );
        });
        assert_eq!((allocations, allocations_to_change), (0, 0));
    });
}

#[test]
fn b59_a_scratch_of_any_length() {
    let mut own = Own::new();
    let mut arena: Arena<(u64, String, u8)> =
        (0..500).map(|number| (number, format!("{number}"), number as u8)).collect();
    let mut expected: Vec<_> = arena.values().cloned().collect();
    let mut longest = 0;
    for bytes in (0..2_000).step_by(scaled(1, 97)).chain([16 << 10, 20_001, 40_000]) {
        let begin = bytes % 3; // not aligned to anything
        let scratch = &mut own.0[..bytes];
        let scratch = &mut scratch[begin.min(bytes)..];
        let mut lengths = Vec::new();
        let mut change = || {
            soa::gather_mut_in(
                scratch,
                &mut arena,
                |_, row| (row.2, row.0),
                |(small, large)| {
                    lengths.push(large.len());
                    large
                        .iter_mut()
                        .zip(small)
                        .for_each(|(large, small)| *large += u64::from(*small));
                },
                |row, (_, large)| row.0 = large,
            );
        };
        if bytes < 64 + 24 {
            drop(larder_testing::caught::attempt(change)); // too small, or just not
        } else {
            change();
        }
        if lengths.is_empty() {
            continue;
        }
        expected.iter_mut().for_each(|row| row.0 += u64::from(row.2));
        assert!(arena.values().eq(&expected), "{bytes}");
        assert_eq!(lengths.iter().sum::<usize>(), 500);
        let first = lengths[0];
        assert!(lengths[..lengths.len() - 1].iter().all(|&length| length == first));
        longest = longest.max(first);
    }
    assert_eq!(longest, 500);
}

#[test]
fn b59_a_scratch_that_is_too_small_says_how_many_bytes_are_missing() {
    let mut own = Own::new();
    let arena: Arena<u32> = (0..10).collect();
    for begin in [0, 1, 63] {
        let mut bytes = 0;
        let caught = panic_of(|| {
            soa::gather_in(&mut own.0[begin..begin], &arena, |_, n| (*n, u64::from(*n)), |_| ());
        });
        assert_eq!(caught.file, file!());
        assert!(caught.message.starts_with("gather: the scratch is too small"), "{caught:?}");
        let numbers = caught.message.split(' ').filter_map(|word| word.parse::<usize>().ok());
        bytes += numbers.sum::<usize>();
        for (length, fits) in [(bytes - 1, false), (bytes, true)] {
            let scratch = &mut own.0[begin..begin + length];
            let outcome = larder_testing::caught::attempt(|| {
                soa::gather_in(scratch, &arena, |_, n| (*n, u64::from(*n)), |_| ());
            });
            assert_eq!(outcome.is_ok(), fits, "{length} bytes from {begin} on");
        }
    }
    // Nothing was asked of an empty arena's values, but the scratch is wrong all the same.
    let empty = DenseArena::<u32>::new();
    let caught = panic_of(|| soa::gather_in(&mut [], &empty, |_, number| *number, |_| ()));
    assert!(caught.message.contains("gather: the scratch"), "{}", caught.message);
    // More than any stack: 16 KiB do not do.
    let caught = panic_of(|| soa::gather(&arena, |_, _| [0_u8; 20_000], |_| ()));
    assert!(caught.message.contains("3616 bytes missing"), "{}", caught.message);
}

#[test]
fn b59_columns_without_a_size_and_wide_ones() {
    let arena: Arena<u32> = (0..3_000).collect();
    let mut seen = 0;
    soa::gather(&arena, |_, _| (), |column| seen += column.len());
    assert_eq!(seen, 3_000);
    soa::gather_in(&mut [], &arena, |_, _| ((), [0_u64; 0]), |(units, _)| seen += units.len());
    assert_eq!(seen, 6_000);

    let alive = Wide::alive();
    soa::gather(
        &arena,
        |_, number| (1_u8, [Wide::make(*number)], *number),
        |(_, wide, numbers)| {
            assert!(wide.iter().zip(numbers).all(|(wide, number)| wide[0].id() == *number));
            seen += wide.len();
        },
    );
    assert_eq!((seen, Wide::alive()), (9_000, alive));
}

/// Whatever panics, and whenever: what was stored is changed, the rest is not, nothing is lost or
/// dropped twice.
#[test]
fn b59_panics_leave_rows_whole() {
    const ROWS: u32 = 40;
    let own = &mut Own::new().0[..64 * 9]; // a handful at a time
    for nerve in [Nerve::None, Nerve::Drop] {
        let mut steps = 0;
        loop {
            forget_all();
            let mut arena: Arena<(Touchy, u32)> =
                (0..ROWS).map(|number| (Touchy::make(number), 0)).collect();
            set_nerve(nerve);
            let came = panicking_after(steps, || {
                let take = || {
                    if nerve == Nerve::None {
                        step()
                    }
                };
                soa::gather_mut_in(
                    own,
                    &mut arena,
                    |_, row| {
                        take();
                        (Touchy::make(row.0.id()), row.0.id())
                    },
                    |(touchy, ids)| {
                        take();
                        assert!(touchy.iter().zip(&*ids).all(|(one, id)| one.id() == *id));
                        ids.iter_mut().for_each(|id| *id += 100);
                    },
                    |row, (touchy, id)| {
                        take();
                        assert_eq!(touchy.id() + 100, id);
                        row.1 = id;
                    },
                );
            });
            set_nerve(Nerve::None);
            arena.validate();
            assert_eq!(count_alive(), ROWS as usize, "{nerve:?} after {steps}");
            let stored = arena.values().take_while(|row| row.1 != 0).count();
            assert!(arena.values().skip(stored).all(|row| row.1 == 0));
            assert!(arena.values().all(|row| row.0.is_alive()));
            if !came {
                assert_eq!(stored, ROWS as usize);
                break;
            }
            steps += scaled(1, 11) as u32;
        }
        assert!(steps >= ROWS);
    }
}

#[test]
fn nothing_is_computed_of_no_values() {
    let mut arena = Arena::<u32>::new();
    soa::gather(&arena, |_, number| *number, |_| panic!("there are no columns"));
    soa::gather_mut(
        &mut arena,
        |_, number| *number,
        |_| panic!("there are no columns"),
        |_, _| panic!("there are no values"),
    );
}

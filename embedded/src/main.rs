//! Sensors of a machine without an allocator: they come and go, and their handles notice.
//!
//! `cargo run` here builds it for a Cortex-M3 and runs it in QEMU.
#![no_std]
#![no_main]

use core::mem::MaybeUninit;

use cortex_m::singleton;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, Key, SoaArena, TryReserveError,
};
use panic_semihosting as _;

/// The greatest number of sensors.
const SENSORS: usize = 50;

struct Sensor {
    pin: u8,
    last: u16,
}

struct Alarm {
    sensor: Handle<Sensor>,
    above: u16,
}

/// When something was measured, where, and what.
type Sample = (u32, Handle<Sensor>, u16);

/// Sums and counts of what was measured, in columns that are added up whole.
type Mean = (u32, u16);

/// Memory for the containers, computed when the program is compiled.
const SENSOR_BYTES: usize = Arena::<Sensor>::bytes_for(SENSORS);
const ALARM_BYTES: usize = DenseArena::<Alarm>::bytes_for(10);
const SAMPLE_BYTES: usize = DenseSoaArena::<Sample>::bytes_for(20);
const EIGHT_BYTES: usize = Arena::<u8>::bytes_for(8);
const MEAN_BYTES: usize = SoaArena::<Mean>::bytes_for(4);

#[entry]
fn main() -> ! {
    match run() {
        Ok(()) => debug::exit(debug::EXIT_SUCCESS),
        Err(reason) => {
            hprintln!("{}", reason);
            debug::exit(debug::EXIT_FAILURE);
        }
    }
    loop {
        cortex_m::asm::wfi();
    }
}

/// Asserts that keys are issued in the same order and with the same bits as on machines whose addresses have 64 bits:
/// `tests/containers/keys.rs` begins with the same numbers.
fn check_keys() -> Result<(), TryReserveError> {
    /// Returns the keys of six values, and those of three others after three of them were removed.
    fn life<K: Key>(
        block: Option<&'static mut [MaybeUninit<u8>; EIGHT_BYTES]>,
    ) -> Result<([K; 6], [K; 3]), TryReserveError> {
        let block = block.expect("taken once");
        let mut values = Arena::<u8, K>::builder_with_key().in_memory(block).try_build()?;
        let keys = [0; 6].map(|value| values.insert(value));
        for place in [1, 4, 2] {
            values.remove(keys[place]);
        }
        Ok((keys, [0; 3].map(|value| values.insert(value))))
    }

    let block = singleton!(: [MaybeUninit<u8>; EIGHT_BYTES] = [MaybeUninit::uninit(); EIGHT_BYTES]);
    let (first, second) = life::<Handle<u8>>(block)?;
    assert_eq!(first.map(Handle::to_bits), [0, 1, 2, 3, 4, 5].map(|slot| 1 << 32 | slot));
    assert_eq!(second.map(Handle::to_bits), [2, 4, 1].map(|slot| 3 << 32 | slot));
    let block = singleton!(: [MaybeUninit<u8>; EIGHT_BYTES] = [MaybeUninit::uninit(); EIGHT_BYTES]);
    let (first, second) = life::<Handle32<u8>>(block)?;
    assert_eq!(first.map(Handle32::to_bits), [0, 1, 2, 3, 4, 5].map(|slot| 1 << 20 | slot));
    assert_eq!(second.map(Handle32::to_bits), [2, 4, 1].map(|slot| 3 << 20 | slot));
    Ok(())
}

fn run() -> Result<(), TryReserveError> {
    check_keys()?;
    let block =
        singleton!(: [MaybeUninit<u8>; SENSOR_BYTES] = [MaybeUninit::uninit(); SENSOR_BYTES]);
    let mut sensors = Arena::in_memory(block.expect("taken once"))?;
    let block = singleton!(: [MaybeUninit<u8>; ALARM_BYTES] = [MaybeUninit::uninit(); ALARM_BYTES]);
    let mut alarms = DenseArena::in_memory(block.expect("taken once"))?;
    assert!(sensors.capacity() >= SENSORS && alarms.capacity() >= 10);

    let mut handles = [Handle::DANGLING; SENSORS];
    for (handle, pin) in handles.iter_mut().zip(0..) {
        *handle = sensors.insert(Sensor { pin, last: 0 });
    }
    for &sensor in handles.iter().step_by(7) {
        alarms.insert(Alarm { sensor, above: 20 });
    }

    // The latest readings, in a static.
    let log = singleton!(: InlineArena<u16, 8> = InlineArena::new()).expect("taken once");
    log.extend(0..5);

    // Every other sensor is unplugged; the alarms of those see it.
    sensors.retain(|_, sensor| sensor.pin % 2 == 0);
    alarms.retain(|_, alarm| sensors.contains_key(alarm.sensor));
    assert_eq!((sensors.len(), alarms.len()), (25, 4));

    // Others take their places, and no old handle answers for them.
    while sensors.len() < sensors.capacity() {
        sensors.insert(Sensor { pin: 100, last: 0 });
    }
    assert!(sensors.try_insert(Sensor { pin: 101, last: 0 }).is_err());
    assert!(handles.iter().skip(1).step_by(2).all(|&handle| sensors.get(handle).is_none()));

    for sensor in sensors.values_mut() {
        sensor.last = u16::from(sensor.pin);
    }
    let ringing = |alarm: &&Alarm| sensors[alarm.sensor].last > alarm.above;
    let rings = alarms.values().filter(ringing).count();
    assert_eq!(rings, 2);

    // Columns: of samples, packed; of means, where a hole counts for nothing.
    let block =
        singleton!(: [MaybeUninit<u8>; SAMPLE_BYTES] = [MaybeUninit::uninit(); SAMPLE_BYTES]);
    let mut samples: DenseSoaArena<Sample> = DenseSoaArena::in_memory(block.expect("taken once"))?;
    samples.extend(sensors.iter().take(20).zip(0..).map(|((key, it), time)| (time, key, it.last)));
    samples.retain(|_, (time, ..)| *time >= 10);
    let block = singleton!(: [MaybeUninit<u8>; MEAN_BYTES] = [MaybeUninit::uninit(); MEAN_BYTES]);
    let mut means: SoaArena<Mean> = SoaArena::in_memory(block.expect("taken once"))?;
    let (old, _) = (means.insert((7, 1)), means.insert((0, 0)));
    means.remove(old);
    for &last in samples.columns().2 {
        means
            .values_mut()
            .for_each(|(sum, count)| (*sum, *count) = (*sum + u32::from(last), *count + 1));
    }
    assert_eq!(means.columns().1, [0, 10]);
    samples.validate();
    means.validate();

    log.retain(|_, line| *line % 2 == 1);
    log.insert(rings as u16);
    assert!(log.values().eq(&[2, 1, 3]));
    sensors.validate();
    hprintln!(
        "{} sensors in {} bytes, {} alarms in {}, {} ringing",
        sensors.len(),
        SENSOR_BYTES,
        alarms.len(),
        ALARM_BYTES,
        rings
    );
    Ok(())
}

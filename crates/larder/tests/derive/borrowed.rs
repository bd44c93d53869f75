//! The methods of the structs of references.

use larder::soa::InLanes;
use larder::{DenseSoaArena, Soa};
use larder_testing::caught::panic_of;

#[derive(Soa, Clone, PartialEq, Debug)]
struct Vec2 {
    x: f32,
    y: f32,
}

#[derive(Soa, Clone, PartialEq, Debug)]
struct Particle {
    #[soa(group = "hot", fill = 1.0)]
    mass: f32,
    #[soa(nested)]
    position: Vec2,
    name: String,
    #[soa(group = "hot")]
    time: u8,
    #[soa(nested)]
    pair: (u8, i8),
}

fn particle(number: u8) -> Particle {
    Particle {
        mass: f32::from(number) + 0.5,
        position: Vec2 { x: f32::from(number), y: -f32::from(number) },
        name: number.to_string(),
        time: number,
        pair: (number, -1),
    }
}

type Particles = DenseSoaArena<Particle>;

/// So many particles.
fn flock(count: u8) -> Particles {
    (0..count).map(particle).collect()
}

fn whole(columns: ParticleColumns<'_>) -> Vec<Particle> {
    columns.iter().map(ParticleRef::cloned).collect()
}

fn particles(numbers: impl IntoIterator<Item = u8>) -> Vec<Particle> {
    numbers.into_iter().map(particle).collect()
}

#[test]
fn columns_are_read_as_values() {
    assert!(flock(0).columns().is_empty());
    let flock = flock(4);
    let columns = flock.columns();
    assert_eq!((columns.len(), columns.is_empty()), (4, false));
    assert_eq!(columns.get(2).map(ParticleRef::cloned), Some(particle(2)));
    assert!(columns.get(4).is_none());
    assert_eq!(whole(columns), particles(0..4));
    let mut backwards = columns.iter().rev();
    assert_eq!(backwards.len(), 4);
    assert_eq!(backwards.next().map(ParticleRef::cloned), Some(particle(3)));
    assert_eq!(backwards.clone().count(), 3);
}

#[test]
fn a_reference_has_each_field_by_itself() {
    let flock = flock(3);
    let two = flock.columns().get(2).expect("there are three");
    assert_eq!((*two.mass, *two.time, two.name.as_str()), (2.5, 2, "2"));
    assert_eq!((two.position.x, two.position.y, two.pair), (&2.0, &-2.0, (&2, &-1)));
    let copy = two;
    assert!(two == copy && Some(two) != flock.columns().get(1));
}

#[test]
fn columns_are_split_as_slices_are() {
    let mut flock = flock(4);
    let (left, right) = flock.columns().split_at(1);
    assert_eq!((whole(left), whole(right)), (particles(0..1), particles(1..4)));
    let mut columns = flock.columns_mut();
    let (mut left, mut right) = columns.split_at_mut(3);
    left.get_mut(0).expect("it is there").replace(particle(9));
    right.get_mut(0).expect("it is there").replace(particle(8));
    assert_eq!(whole(columns.as_columns()), particles([9, 1, 2, 8]));
}

#[test]
fn a_wrong_split_panics_at_the_callers_line() {
    let mut flock = flock(4);
    let shared = panic_of(|| flock.columns().split_at(5).0.len());
    let mutable = panic_of(|| flock.columns_mut().split_at_mut(5).0.len());
    for (panic, line) in [(shared, line!() - 2), (mutable, line!() - 1)] {
        assert_eq!((panic.line, panic.file.ends_with("borrowed.rs")), (line, true));
    }
}

#[test]
fn values_are_changed_through_columns() {
    let mut flock = flock(3);
    let mut columns = flock.columns_mut();
    for mut each in columns.iter_mut() {
        *each.mass += 1.0;
        *each.position.x *= 2.0;
        each.name.push('!');
        *each.reborrow().pair.0 += 1;
    }
    assert_eq!(columns.hot[2].mass, 3.5);
    assert_eq!(
        (columns.position.x[2], columns.name[2].as_str(), columns.pair.0[2]),
        (4.0, "2!", 3)
    );
    let old = columns.get_mut(1).expect("it is there").replace(particle(7));
    assert_eq!((old.mass, old.position.x, old.time), (2.5, 2.0, 1));
    columns.get_mut(0).expect("it is there").set(particle(6));
    assert!(columns.get_mut(3).is_none());
    assert_eq!(columns.get(1).map(ParticleRef::cloned), Some(particle(7)));
    assert_eq!(columns.get_mut(0).expect("it is there").as_ref().cloned(), particle(6));
    assert_eq!((columns.len(), columns.is_empty(), columns.iter().len()), (3, false, 3));
    assert_eq!(columns.reborrow().iter_mut().rev().len(), 3);
}

#[test]
fn lanes_are_arrays_and_columns() {
    let places = (0..4_u8).map(|number| InLanes(particle(number).position));
    let mut places: DenseSoaArena<InLanes<Vec2, 4>> = places.collect();
    let (_, lanes) = places.blocks().next().expect("there is one");
    let Vec2Lanes { x, y } = lanes;
    assert_eq!((x, y), (&[0.0, 1.0, 2.0, 3.0], &[-0.0, -1.0, -2.0, -3.0]));
    let whole =
        |columns: Vec2Columns<'_>| -> Vec<Vec2> { columns.iter().map(Vec2Ref::cloned).collect() };
    assert_eq!(whole(lanes.as_columns()), [0, 1, 2, 3].map(|number| particle(number).position));
    assert!(format!("{lanes:?}").starts_with("Vec2Lanes { x: [0.0"));
    let (_, mut lanes) = places.blocks_mut().next().expect("there is one");
    lanes.as_columns_mut().get_mut(1).expect("it is there").set(particle(5).position);
    assert_eq!(whole(lanes.as_columns()), [0, 5, 2, 3].map(|number| particle(number).position));
}

#[test]
fn what_is_printed() {
    let mut flock = flock(1);
    let printed = format!("{:?}", flock.columns().get(0).expect("it is there"));
    assert_eq!(
        printed,
        "ParticleRef { mass: 0.5, position: Vec2Ref { x: 0.0, y: -0.0 }, name: \"0\", time: 0, \
         pair: (0, -1) }"
    );
    assert_eq!(
        format!("{:?}", flock.columns_mut()),
        "ParticleColumnsMut { hot: [ParticleHot { mass: 0.5, time: 0 }], \
         position: Vec2ColumnsMut { x: [0.0], y: [-0.0] }, name: [\"0\"], pair: ([0], [-1]) }"
    );
}

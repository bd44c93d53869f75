//! The methods of the structs of references, on columns that are nothing but vectors.

use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Mutex;

use larder::Soa;
use larder::soa::Fill;
use larder::soa::view::View;

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

/// Columns of so many particles.
struct Vectors {
    hot: Vec<ParticleHot>,
    x: Vec<f32>,
    y: Vec<f32>,
    names: Vec<String>,
    pairs: (Vec<u8>, Vec<i8>),
}

impl Vectors {
    fn of(count: u8) -> Self {
        let mut this = Self {
            hot: Vec::new(),
            x: Vec::new(),
            y: Vec::new(),
            names: Vec::new(),
            pairs: (Vec::new(), Vec::new()),
        };
        for number in 0..count {
            let (hot, ((x, y), (name, (first, second)))) = {
                let (hot, (position, (name, pair))) = View::into_parts(particle(number));
                (hot, (View::into_parts(position), (name, View::into_parts(pair))))
            };
            this.hot.push(hot);
            this.x.push(x);
            this.y.push(y);
            this.names.push(name);
            this.pairs.0.push(first);
            this.pairs.1.push(second);
        }
        this
    }

    fn columns(&self) -> ParticleColumns<'_> {
        ParticleColumns {
            hot: &self.hot,
            position: Vec2Columns { x: &self.x, y: &self.y },
            name: &self.names,
            pair: (&self.pairs.0, &self.pairs.1),
        }
    }

    fn columns_mut(&mut self) -> ParticleColumnsMut<'_> {
        ParticleColumnsMut {
            hot: &mut self.hot,
            position: Vec2ColumnsMut { x: &mut self.x, y: &mut self.y },
            name: &mut self.names,
            pair: (&mut self.pairs.0, &mut self.pairs.1),
        }
    }

    fn lanes<const L: usize>(&self) -> ParticleLanes<'_, L> {
        let wrong = "as many as there are lanes";
        ParticleLanes {
            hot: self.hot.as_slice().try_into().expect(wrong),
            position: Vec2Lanes {
                x: self.x.as_slice().try_into().expect(wrong),
                y: self.y.as_slice().try_into().expect(wrong),
            },
            name: self.names.as_slice().try_into().expect(wrong),
            pair: (
                self.pairs.0.as_slice().try_into().expect(wrong),
                self.pairs.1.as_slice().try_into().expect(wrong),
            ),
        }
    }
}

fn whole(columns: ParticleColumns<'_>) -> Vec<Particle> {
    columns.iter().map(ParticleRef::cloned).collect()
}

fn particles(numbers: impl IntoIterator<Item = u8>) -> Vec<Particle> {
    numbers.into_iter().map(particle).collect()
}

#[test]
fn parts_become_the_value_again() {
    assert_eq!(Particle::from_parts(View::into_parts(particle(3))), particle(3));
}

#[test]
fn columns_are_read_as_values() {
    let vectors = Vectors::of(4);
    let columns = vectors.columns();
    assert_eq!((columns.len(), columns.is_empty()), (4, false));
    assert!(Vectors::of(0).columns().is_empty());
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
    let vectors = Vectors::of(3);
    let two = vectors.columns().get(2).expect("there are three");
    assert_eq!((*two.mass, *two.time, two.name.as_str()), (2.5, 2, "2"));
    assert_eq!((two.position.x, two.position.y, two.pair), (&2.0, &-2.0, (&2, &-1)));
    let copy = two;
    assert!(two == copy && Some(two) != vectors.columns().get(1));
}

#[test]
fn columns_are_split_as_slices_are() {
    let mut vectors = Vectors::of(4);
    let (left, right) = vectors.columns().split_at(1);
    assert_eq!((whole(left), whole(right)), (particles(0..1), particles(1..4)));
    let mut columns = vectors.columns_mut();
    let (mut left, mut right) = columns.split_at_mut(3);
    left.get_mut(0).expect("it is there").replace(particle(9));
    right.get_mut(0).expect("it is there").replace(particle(8));
    assert_eq!(whole(columns.as_columns()), particles([9, 1, 2, 8]));
}

#[test]
fn a_wrong_split_panics_at_the_callers_line() {
    static LINE: Mutex<u32> = Mutex::new(0);

    let mut vectors = Vectors::of(4);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|panic| {
        let here = panic.location().filter(|place| place.file().ends_with("borrowed.rs"));
        *LINE.lock().expect("nobody panics with it") = here.map_or(0, |place| place.line());
    }));
    let shared = catch_unwind(AssertUnwindSafe(|| vectors.columns().split_at(5).0.len()));
    let at_shared = *LINE.lock().expect("nobody panics with it");
    let mutable = catch_unwind(AssertUnwindSafe(|| vectors.columns_mut().split_at_mut(5).0.len()));
    let at_mutable = *LINE.lock().expect("nobody panics with it");
    std::panic::set_hook(usual);
    assert!(shared.is_err() && mutable.is_err());
    assert!(at_shared > 0 && at_mutable == at_shared + 2, "{at_shared} {at_mutable}");
}

#[test]
fn values_are_changed_through_columns() {
    let mut vectors = Vectors::of(3);
    let mut columns = vectors.columns_mut();
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
fn b47_columns_are_slices_side_by_side() {
    let mut vectors = Vectors::of(4);
    let Vec2ColumnsMut { x, y } = vectors.columns_mut().position;
    for (x, y) in x.iter_mut().zip(y) {
        *x += *y;
    }
    assert_eq!(vectors.x, [0.0; 4]);
}

#[test]
fn lanes_are_arrays_and_columns() {
    let mut vectors = Vectors::of(4);
    let lanes = vectors.lanes::<4>();
    assert_eq!(*lanes.position.x, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(whole(lanes.as_columns()), particles(0..4));
    let wrong = "four";
    let mut lanes: ParticleLanesMut<'_, 4> = ParticleLanesMut {
        hot: vectors.hot.as_mut_slice().try_into().expect(wrong),
        position: Vec2LanesMut {
            x: vectors.x.as_mut_slice().try_into().expect(wrong),
            y: vectors.y.as_mut_slice().try_into().expect(wrong),
        },
        name: vectors.names.as_mut_slice().try_into().expect(wrong),
        pair: (
            vectors.pairs.0.as_mut_slice().try_into().expect(wrong),
            vectors.pairs.1.as_mut_slice().try_into().expect(wrong),
        ),
    };
    lanes.as_columns_mut().get_mut(1).expect("it is there").set(particle(5));
    assert_eq!(whole(lanes.as_columns()), particles([0, 5, 2, 3]));
}

#[test]
fn what_holes_hold() {
    let fill = Particle {
        mass: 1.0,
        position: Vec2 { x: 0.0, y: 0.0 },
        name: String::new(),
        time: 0,
        pair: (0, 0),
    };
    assert_eq!(Particle::FILL, fill);
}

#[test]
fn what_is_printed() {
    let mut vectors = Vectors::of(1);
    let printed = format!("{:?}", vectors.columns().get(0).expect("it is there"));
    assert_eq!(
        printed,
        "ParticleRef { mass: 0.5, position: Vec2Ref { x: 0.0, y: -0.0 }, name: \"0\", time: 0, \
         pair: (0, -1) }"
    );
    assert_eq!(
        format!("{:?}", vectors.columns_mut()),
        "ParticleColumnsMut { hot: [ParticleHot { mass: 0.5, time: 0 }], \
         position: Vec2ColumnsMut { x: [0.0], y: [-0.0] }, name: [\"0\"], pair: ([0], [-1]) }"
    );
    assert!(format!("{:?}", vectors.lanes::<1>()).starts_with("ParticleLanes { hot: [Part"));
}

#[test]
fn a_group_is_cloned_and_compared_as_its_fields_are() {
    let hot = Vectors::of(1).hot;
    assert_eq!(hot.clone(), hot);
}

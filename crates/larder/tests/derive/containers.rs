//! Derived structs in the containers that they are for.

use alloc::rc::Rc;

use larder::{Arena, DenseSoaArena, Soa, SoaArena};

#[derive(Soa, Clone, PartialEq, Debug)]
struct Vec3 {
    x: f32,
    y: f32,
    #[soa(fill = 1.0)]
    z: f32,
}

#[derive(Soa, Clone, PartialEq, Debug)]
struct Particle {
    #[soa(nested)]
    place: Vec3,
    #[soa(group = "hot", align = 64)]
    time: u8,
    #[soa(fill = None)]
    owner: Option<Rc<str>>,
    #[soa(group = "hot")]
    mass: f64,
    nothing: (),
}

/// A type with nothing to fill holes with.
#[derive(Clone, PartialEq, Debug)]
struct Texture(Rc<str>);

#[derive(Soa, Clone, PartialEq, Debug)]
#[soa(no_fill)]
struct Sprite {
    texture: Texture,
    place: u32,
}

#[derive(Soa, Clone, PartialEq, Debug)]
#[soa(lanes = 8)]
struct Eight {
    #[soa(nested)]
    place: Vec3,
    #[soa(group = "two", fill = 7)]
    count: u8,
    #[soa(group = "two")]
    time: u16,
}

fn vec3(number: u8) -> Vec3 {
    let number = f32::from(number);
    Vec3 { x: number, y: -number, z: number / 2.0 }
}

fn particle(number: u8, owner: &Rc<str>) -> Particle {
    Particle {
        place: vec3(number),
        time: number,
        owner: (number % 2 == 0).then(|| owner.clone()),
        mass: 1.0,
        nothing: (),
    }
}

fn sprite(number: u8, owner: &Rc<str>) -> Sprite {
    Sprite { texture: Texture(owner.clone()), place: number.into() }
}

fn eight(number: u8, _: &Rc<str>) -> Eight {
    Eight { place: vec3(number), count: number, time: 1 }
}

/// Rows and columns through the same steps: the same keys, the same values, nothing lost.
macro_rules! as_rows {
    ($($name:ident: $container:ident<$ty:ident> of $make:ident;)*) => {$(
        #[test]
        fn $name() {
            let owner: Rc<str> = "owner".into();
            let (mut rows, mut columns) = (Arena::new(), $container::<$ty>::new());
            let mut keys = Vec::new();
            let mut random = 7_u32;
            for number in 0..if cfg!(miri) { 60 } else { 250 } {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let chosen = keys.get((random >> 16) as usize % 97).copied();
                match (random >> 28, chosen) {
                    (0..=3, Some((row, column))) => {
                        assert_eq!(rows.remove(row), columns.remove(column));
                    }
                    (4..=5, Some((row, column))) => {
                        let (old, mut new) = (rows.get_mut(row), columns.get_mut(column));
                        let seen = new.as_ref().map(|new| new.as_ref().cloned());
                        assert_eq!(old.as_deref(), seen.as_ref());
                        let value = old.map(|old| core::mem::replace(old, $make(number, &owner)));
                        let replaced = new.as_mut().map(|new| new.replace($make(number, &owner)));
                        assert_eq!(value, replaced);
                    }
                    _ => keys.push((
                        rows.insert($make(number, &owner)),
                        columns.insert($make(number, &owner)),
                    )),
                }
            }
            assert_eq!(rows.len(), columns.len());
            for &(row, column) in &keys {
                assert_eq!(rows.get(row).cloned(), columns.get(column).map(|each| each.cloned()));
            }
            let copy = columns.clone();
            assert!(copy == columns && format!("{copy:?}").contains(concat!(stringify!($ty), "Ref")));
            drop((rows, columns, copy));
            assert_eq!(Rc::strong_count(&owner), 1);
        }
    )*};
}

as_rows! {
    particles_with_holes: SoaArena<Particle> of particle;
    sprites_packed: DenseSoaArena<Sprite> of sprite;
    lanes_packed: DenseSoaArena<Eight> of eight;
}

#[test]
fn b42_nested_structs_split_into_scalars() {
    let owner: Rc<str> = "owner".into();
    let mut particles = SoaArena::from_iter((0..4).map(|number| particle(number, &owner)));
    let Vec3ColumnsMut { x, y, z } = particles.columns_mut().place;
    for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
        *x += *y + *z;
    }
    assert_eq!(particles.columns().place.x, [0.0, 0.5, 1.0, 1.5]);
    let second = particles.key_of_slot(1).expect("it is live");
    particles.remove(second);
    let Vec3Columns { x, y, z } = particles.columns().place;
    assert_eq!((x[1], y[1], z[1]), (0.0, 0.0, 1.0));
}

#[test]
fn b46_a_handle_gives_references_to_each_field() {
    let owner: Rc<str> = "owner".into();
    let mut particles = SoaArena::new();
    let key = particles.insert(particle(4, &owner));
    let reference: ParticleRef<'_> = particles.at(key);
    assert_eq!((*reference.time, *reference.place.y, *reference.mass), (4, -4.0, 1.0));
    let mut reference: ParticleRefMut<'_> = particles.at_mut(key);
    *reference.place.x = 8.0;
    *reference.time += 1;
    assert_eq!(reference.as_ref().place, Vec3Ref { x: &8.0, y: &-4.0, z: &2.0 });
    reference.set(particle(6, &owner));
    assert_eq!(particles.remove(key), Some(particle(6, &owner)));
    assert!(particles.get(key).is_none());
}

#[test]
fn b47_columns_are_found_once_for_many_values() {
    let owner: Rc<str> = "owner".into();
    let mut particles = DenseSoaArena::from_iter((0..10).map(|number| particle(number, &owner)));
    let mut columns = particles.columns_mut();
    for index in 0..columns.len() {
        columns.hot[index].mass += f64::from(columns.place.x[index]);
    }
    let (left, right) = columns.split_at_mut(5);
    assert_eq!((left.hot[4].mass, right.hot[0].mass), (5.0, 6.0));
    assert_eq!(columns.iter().map(|each| *each.mass).sum::<f64>(), 55.0);
}

#[test]
fn lanes_without_a_value_hold_the_fill() {
    let owner: Rc<str> = "owner".into();
    let mut lanes = SoaArena::from_iter((1..4).map(|number| eight(number, &owner)));
    let first = lanes.key_of_slot(0).expect("it is live");
    lanes.remove(first);
    let (_, block): (_, EightLanes<'_, 8>) = lanes.blocks().next().expect("there is one");
    assert_eq!(*block.place.x, [0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(*block.place.z, [1.0, 1.0, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(block.two.each_ref().map(|two| two.count), [7, 2, 3, 7, 7, 7, 7, 7]);
    for (_, mut block) in lanes.blocks_mut() {
        block.as_columns_mut().iter_mut().for_each(|lane| *lane.time += 1);
    }
    assert_eq!(lanes.values().map(|lane| *lane.time).collect::<Vec<_>>(), [2, 2]);
}

/// A struct of so many numbers, and where its columns begin.
macro_rules! many {
    ($($field:ident)*) => {
        #[derive(Soa)]
        struct Many { $($field: f32,)* }

        impl Many {
            fn of(number: f32) -> Self {
                Self { $($field: number,)* }
            }

            fn columns(arena: &DenseSoaArena<Self>) -> Vec<&[f32]> {
                let columns = arena.columns();
                vec![$(columns.$field,)*]
            }
        }
    };
}
many! { a b c d e f g h i j k l m n o p q r s t u v w x }

/// More columns than can begin three lines apart: they lie apart all the same, and few share a line.
#[test]
fn many_columns_lie_apart() {
    let capacities = [1, 255, 256, 1_024, 3_000, 4_096];
    for &capacity in if cfg!(miri) { &capacities[..3] } else { &capacities[..] } {
        let mut arena = DenseSoaArena::<Many>::fixed(capacity);
        arena.extend((0..capacity).map(|number| Many::of(number as f32)));
        let columns = Many::columns(&arena);
        assert!(columns.iter().all(|column| column.iter().zip(0..).all(|(at, n)| *at == n as f32)));
        let ends: Vec<_> = columns.iter().map(|column| column.as_ptr_range()).collect();
        assert!(ends.windows(2).all(|pair| pair[0].end <= pair[1].start));
        if 4 * capacity >= 1_024 {
            let line = |column: &&[f32]| column.as_ptr().addr() / 64 % 64;
            let mut first: Vec<_> = columns[..20].iter().map(line).collect();
            first.sort_unstable();
            assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "{capacity}: {first:?}");
        }
    }
}

//! The demands on views, sorting a little at a time, and grids, row by row.

use core::hash::BuildHasher;
use larder::{Arena, Handle, indices::GridIndex};

use crate::cells::Tile;
use crate::grid::{distance_squared, point, scattered, within_is_exact};
use larder_testing::common::{SplitMix, scaled};

/// Both ends of the hash, as a table uses it: even over its buckets, and nothing like a^b.
#[test]
#[cfg_attr(miri, ignore = "it computes for long, and has no memory")]
fn x16_cells_are_mixed_not_combined() {
    let hash = |numbers: [i16; 2]| Tile(numbers.map(i32::from)).hash();
    assert_ne!(hash([0, 0]), hash([1, 1]));
    assert_ne!(hash([1, 2]), hash([2, 1]));
    assert_ne!(hash([-1, 1]), hash([1, -1]));
    assert_ne!(hash([-1, 0]), hash([0, 0]), "the tiles beside the axes are two");
    for shift in [0, 32, 57] {
        let mut counts = [0_u32; 128];
        for (x, y) in (-32..32).flat_map(|x| (-32..32).map(move |y| (x, y))) {
            counts[(hash([x, y]) >> shift) as usize % 128] += 1;
        }
        // 32 on average, with a deviation of 5.6 where chance decides.
        assert!(counts.iter().all(|count| (8..=60).contains(count)), "{shift}: {counts:?}");
    }
    let mut all: Vec<_> = (-32..32).flat_map(|x| (-32..32).map(move |y| hash([x, y]))).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 64 * 64);
}

/// On the source's grid of 10 m: what is near lies in another cell, in each direction.
#[test]
fn x17_a_small_radius_meets_neighbouring_cells() {
    let mut objects = Arena::<u8>::new();
    let mut grid = GridIndex::new(10.0);
    for x in [-1.0, 1.0] {
        for y in [-1.0, 1.0] {
            for z in [-1.0, 1.0] {
                grid.insert(objects.insert(0), [x, y, z]).unwrap();
            }
        }
    }
    assert_eq!(grid.cell_count(), 8);
    assert_eq!(grid.within([1.0, 1.0, 1.0], 5.0).unwrap().count(), 8);

    let mut random = SplitMix::new(3);
    let (plane, naive) = scattered::<2>(scaled(1_000, 40), 100.0, 10.0, &mut random);
    let (space, naive_space) = scattered::<3>(scaled(1_000, 40), 100.0, 10.0, &mut random);
    for _ in 0..scaled(200, 4) {
        within_is_exact(&plane, &naive, point(100.0, &mut random), 5.0);
        within_is_exact(&space, &naive_space, point(100.0, &mut random), 5.0);
    }
}

#[test]
fn x18_any_radius_meets_as_many_cells_as_it_takes() {
    let mut random = SplitMix::new(4);
    let (plane, naive) = scattered::<2>(scaled(4_000, 60), 200.0, 10.0, &mut random);
    let (space, naive_space) = scattered::<3>(scaled(4_000, 60), 200.0, 10.0, &mut random);
    for radius in [0.0, 0.1, 1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 300.0, 1e4, f32::INFINITY] {
        for _ in 0..scaled(20, 1) {
            within_is_exact(&plane, &naive, point(200.0, &mut random), radius);
            within_is_exact(&space, &naive_space, point(200.0, &mut random), radius);
        }
    }
}

/// The size of cells changes what a query costs, never what it answers.
#[test]
fn x19_cells_of_any_size_answer_alike() {
    let mut random = SplitMix::new(5);
    let mut objects = Arena::<u8>::new();
    let points: Vec<(Handle<u8>, [f32; 2])> =
        (0..scaled(1_000, 50)).map(|_| (objects.insert(0), point(100.0, &mut random))).collect();
    let grids = [0.5, 5.0, 10.0, 20.0, 50.0, 1_000.0].map(|size| {
        let mut grid = GridIndex::new(size);
        for &(key, at) in &points {
            grid.insert(key, at).unwrap();
        }
        grid
    });
    assert!(grids.windows(2).all(|pair| pair[0].cell_count() > pair[1].cell_count()));
    for _ in 0..scaled(50, 2) {
        let center = point(100.0, &mut random);
        for radius in [5.0_f32, 50.0] {
            let squared = f64::from(radius * radius);
            let near = points.iter().filter(|(_, at)| distance_squared(*at, center) <= squared);
            let count = near.count();
            assert!(grids.iter().all(|grid| grid.within(center, radius).unwrap().count() == count));
        }
    }
}

/// Three ways to refer to an object: who it is, what it is called where it plays a part, what is in it.
#[test]
fn z12_objects_are_referred_to_by_identity_by_name_and_by_content() {
    use core::hash::BuildHasherDefault;
    use larder::{
        indices::MultiIndex,
        pools::{StringPool, Symbol},
    };
    use std::hash::DefaultHasher;

    struct Texture {
        name: Symbol,
        pixels: [u8; 4],
    }

    let (mut names, mut textures) = (StringPool::new(), Arena::new());
    let (mut by_name, mut by_content) = (MultiIndex::new(), MultiIndex::new());
    let content =
        |pixels: &[u8; 4]| BuildHasherDefault::<DefaultHasher>::default().hash_one(pixels);
    let mut add = |name: &str, pixels| {
        let texture = Texture { name: names.intern(name), pixels };
        let handle = textures.insert(texture);
        by_name.insert(handle, textures[handle].name).unwrap();
        by_content.insert(handle, content(&pixels)).unwrap();
        handle
    };
    let (grass, moss) = (add("ground", [1; 4]), add("moss", [1; 4]));

    let by_role = names.find("ground").and_then(|ground| by_name.get(&ground).first().copied());
    assert_eq!(by_role, Some(grass));
    assert_eq!(by_content.get(&content(&textures[moss].pixels)), [grass, moss]);

    // The part is given to another: the name leads to it, the identity does not change.
    let ground = textures[grass].name;
    textures[grass].name = names.intern("meadow");
    by_name.insert(grass, textures[grass].name).unwrap();
    textures[moss].name = ground;
    by_name.insert(moss, ground).unwrap();
    assert_eq!(by_name.get(&ground), [moss]);
    assert_eq!(textures[grass].pixels, [1; 4]);
}

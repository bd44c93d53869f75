//! The demands on views, sorting a little at a time, and grids, row by row.

use core::hash::BuildHasher;
use larder::Arena;

use crate::cells::Tile;

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

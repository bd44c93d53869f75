//! Demands on what lies beside someone else's container, by their ids.

use larder::{Arena, Handle, SecondaryMap, maps::SparseSecondaryMap};
use larder_testing::common::Drops;

/// Objects are written once and never learn who keeps something about them.
#[test]
fn a16_a_handle_is_the_key_of_data_elsewhere() {
    struct Missile {
        damage: u32,
        target: Handle<&'static str>,
    }

    let mut enemies = Arena::new();
    let (orc, troll) = (enemies.insert("orc"), enemies.insert("troll"));
    let mut hits = SecondaryMap::new();
    let mut wounds = SparseSecondaryMap::new();
    let missiles = [(3, orc), (5, troll), (7, orc)];
    for Missile { damage, target } in missiles.map(|(damage, target)| Missile { damage, target }) {
        *hits.entry(target).unwrap().or_insert(0) += 1;
        *wounds.entry(target).unwrap().or_default() += damage;
    }
    assert_eq!((hits[orc], hits[troll], wounds[orc], wounds[troll]), (2, 1, 10, 5));
}

/// Neither does what is kept about an object have to be told when it goes.
#[test]
fn b28_side_data_outlives_its_object_harmlessly() {
    let drops = Drops::default();
    let mut sounds = Arena::new();
    let rain = sounds.insert("rain");
    let mut volumes = SecondaryMap::from_iter([(rain, drops.object(1))]);
    let mut fades = SparseSecondaryMap::from_iter([(rain, drops.object(2))]);
    sounds.remove(rain);
    let wind = sounds.insert("wind");
    assert_eq!(wind.slot(), rain.slot(), "in its place");

    assert!(volumes.get(wind).is_none() && fades.get(wind).is_none(), "another object");
    assert_eq!((volumes[rain].number, fades[rain].number), (1, 2), "who asks for it still gets it");
    assert_eq!(drops.count(), 0);
    volumes.insert(wind, drops.object(3));
    assert_eq!(drops.count(), 1, "it goes when its slot is met again");
    fades.retain_live(&sounds);
    assert_eq!((drops.count(), fades.len()), (2, 0), "or when it is asked for");
}

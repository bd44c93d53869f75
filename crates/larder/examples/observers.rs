//! Who watches whom: the observers of the bulk data series, with indices that cannot go stale.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::indices::{MultiIndex, SortedIndex, UniqueIndex};
use larder::track::Table;
use larder::{Arena, Handle};

struct Enemy {
    name: &'static str,
}

/// A row of its own for each pair: an enemy may watch many and be watched by many.
#[derive(Clone)]
struct Watch {
    observer: Handle<Enemy>,
    observed: Handle<Enemy>,
    distance: u32,
}

fn main() {
    let by_name = UniqueIndex::by(|enemy: &Enemy| enemy.name);
    let mut enemies = Table::with(Arena::new(), by_name);
    for name in ["orc", "elf", "bat"] {
        enemies.insert(Enemy { name });
    }
    let [orc, elf, bat] = ["orc", "elf", "bat"].map(|name| enemies.observers().get(name).unwrap());
    let refused = enemies.try_insert(Enemy { name: "orc" }).expect_err("there is one");
    println!("a second {}: {refused}", refused.value.name);

    let by_observer = MultiIndex::by(|row: &Watch| row.observer);
    let by_observed = MultiIndex::by(|row: &Watch| row.observed);
    let by_distance = SortedIndex::by(|row: &Watch| row.distance);
    let mut watches = Table::with(Arena::new(), (by_observer, by_observed, by_distance));
    for (observer, observed, distance) in
        [(orc, elf, 30), (bat, elf, 5), (elf, bat, 5), (orc, bat, 90)]
    {
        watches.insert(Watch { observer, observed, distance });
    }
    for &key in watches.observers().1.get(&elf) {
        println!("{} watches the elf", enemies[watches[key].observer].name);
    }

    // The orc turns around. All three indices know.
    let key = watches.observers().0.get(&orc)[0];
    watches.modify(key, |row| (row.observed, row.distance) = (bat, 10)).expect("it is there");
    assert_eq!(watches.observers().1.get(&bat).len(), 3);
    let near: Vec<_> = watches.observers().2.range(..20).map(|(distance, _)| *distance).collect();
    assert_eq!(near, [5, 5, 10]);

    // The bat dies, and with it every row in which it watches or is watched, each once.
    enemies.remove(bat);
    let removed = watches.remove_where_any(
        |(by_observer, by_observed, _), found| {
            found.extend(by_observer.get(&bat));
            found.extend(by_observed.get(&bat));
        },
        |_, row| println!("at {} nobody is watched any more", row.distance),
    );
    assert_eq!((removed, watches.len()), (4, 0));
}

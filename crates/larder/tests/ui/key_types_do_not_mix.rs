//! A key type reaches the values of its own containers alone, though both wrap the same numbers.

use larder::{Arena, key_type};

key_type! {
    struct EnemyId;
    struct BulletId;
}

fn main() {
    let mut enemies: Arena<&str, EnemyId> = Arena::with_key();
    let mut bullets: Arena<&str, BulletId> = Arena::with_key();
    let (enemy, bullet) = (enemies.insert("troll"), bullets.insert("arrow"));
    enemies.get(bullet);
    let _ = enemy == bullet;
}

//! The missile and its dead target: a missile remembers its target by handle. When the target dies
//! and another enemy takes its place in the array, the missile must not follow the newcomer.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::{Arena, Handle};

struct Enemy {
    position: f32,
}

/// Plain data: it owns nothing and keeps nothing alive.
struct Missile {
    position: f32,
    target: Handle<Enemy>,
}

impl Missile {
    /// Flies one step towards the target and destroys it on contact; false when there is no target
    /// any more.
    fn fly(&mut self, enemies: &mut Arena<Enemy>) -> bool {
        // A target that is gone answers `None`, whoever stands in its slot by now.
        let Some(enemy) = enemies.get(self.target) else {
            return false;
        };
        self.position += (enemy.position - self.position).clamp(-1.0, 1.0);
        if self.position == enemy.position {
            enemies.remove(self.target);
        }
        true
    }
}

fn main() {
    // Room for one enemy, so that the next one must take the same slot.
    let mut enemies = Arena::fixed(1);
    let target = enemies.insert(Enemy { position: 3.0 });
    let [mut near, mut far] = [0.0, -5.0].map(|position| Missile { position, target });

    while enemies.contains_key(target) {
        near.fly(&mut enemies);
        far.fly(&mut enemies);
        println!("missiles at {} and {}", near.position, far.position);
    }

    let newcomer = enemies.insert(Enemy { position: 9.0 });
    println!("{target} is gone, in its place stands {newcomer}");
    assert_eq!(target.slot(), newcomer.slot());
    assert_ne!(target.generation(), newcomer.generation());

    // Same slot, other generation: the far missile finds nobody to follow.
    assert!(!far.fly(&mut enemies));
    assert!(enemies.contains_key(newcomer));
    println!("the far missile gives up at {}", far.position);
}

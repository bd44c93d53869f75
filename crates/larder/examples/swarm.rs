//! Neighbours in a swarm: each bird flies as those around it do, keeps its distance, and stays with them.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::{Arena, Handle, indices::GridIndex};

struct Bird {
    place: [f32; 2],
    velocity: [f32; 2],
}

/// The distance that a bird sees; a cell of the grid is twice as long.
const SIGHT: f32 = 5.0;

/// Returns a bird's reaction to those that it sees, itself among them.
fn steer(me: &Bird, birds: &Arena<Bird>, grid: &GridIndex<Handle<Bird>, 2>) -> [f32; 2] {
    let (mut seen, mut center, mut drift, mut away) = (0.0, [0.0; 2], [0.0; 2], [0.0; 2]);
    for (key, place) in grid.within(me.place, SIGHT).expect("birds are somewhere") {
        seen += 1.0;
        for axis in 0..2 {
            let apart = me.place[axis] - place[axis];
            center[axis] += place[axis];
            drift[axis] += birds[key].velocity[axis];
            away[axis] += apart.clamp(-1.0, 1.0) - apart / SIGHT;
        }
    }
    core::array::from_fn(|axis| {
        let together = center[axis] / seen - me.place[axis];
        let velocity = drift[axis] / seen + 0.05 * together + 0.05 * away[axis];
        velocity.clamp(-1.0, 1.0)
    })
}

/// Returns the distance of a bird from the nearest other, on average.
fn distance(grid: &GridIndex<Handle<Bird>, 2>) -> f32 {
    let nearest = grid.iter().filter_map(|(me, from)| {
        let (_, to) = grid.nearest_where(from, |key| key != me).ok()??;
        Some((from[0] - to[0]).hypot(from[1] - to[1]))
    });
    nearest.sum::<f32>() / grid.len() as f32
}

fn main() {
    let (mut birds, mut grid) = (Arena::new(), GridIndex::new(2.0 * SIGHT));
    for number in 0..2_000_u16 {
        // Evenly, without a pattern: two steps that never come round.
        let place = [0.754_877_7, 0.569_840_3].map(|step| f32::from(number) * step % 1.0 * 100.0);
        let bird = birds.insert(Bird { place, velocity: f32::from(number).sin_cos().into() });
        grid.insert(bird, place).expect("it is finite");
    }
    for second in 0..20 {
        let velocities: Vec<_> = birds.values().map(|me| steer(me, &birds, &grid)).collect();
        for ((key, bird), velocity) in birds.iter_mut().zip(velocities) {
            bird.velocity = velocity;
            bird.place = [bird.place[0] + velocity[0], bird.place[1] + velocity[1]];
            grid.insert(key, bird.place).expect("it is finite"); // it has moved
        }
        println!("second {second}: {:.2} apart, {} cells", distance(&grid), grid.cell_count());
    }
    assert!(grid.len() == 2_000 && grid.iter().all(|(key, place)| birds[key].place == place));
}

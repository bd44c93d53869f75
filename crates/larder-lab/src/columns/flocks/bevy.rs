//! `bevy_ecs`: an entity component system whose queries are kept.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::QueryState;
use bevy_ecs::world::World;

use crate::columns::flock::Flock;
use crate::columns::kernels::all_one;
use crate::columns::particle::Particle;

#[derive(Clone, Copy, Component)]
struct Time(f32);
#[derive(Clone, Copy, Component)]
struct Place(f32, f32, f32);
#[derive(Clone, Copy, Component)]
struct Speed(f32, f32, f32);
#[derive(Clone, Copy, Component)]
struct Colour(f32, f32, f32);

type Whole = (&'static Time, &'static Place, &'static Speed, &'static Colour);
type All = (&'static mut Time, &'static mut Place, &'static mut Speed, &'static mut Colour);

/// Entities of four components, each an array, and the queries about them.
pub(crate) struct Bevy {
    world: World,
    whole: QueryState<Whole>,
    times: QueryState<&'static mut Time>,
    motions: QueryState<(&'static mut Place, &'static Speed)>,
    all: QueryState<All>,
}

impl Flock for Bevy {
    type Key = Entity;

    const NAME: &'static str = "bevy_ecs";

    fn with_capacity(_count: usize) -> Self {
        // (There is no way to ask for room for entities of some components.)
        let mut world = World::new();
        // Their table comes with the first of them; a query that is not told of it would be empty.
        let first = world.spawn((
            Time(0.0),
            Place(0.0, 0.0, 0.0),
            Speed(0.0, 0.0, 0.0),
            Colour(0.0, 0.0, 0.0),
        ));
        let first = first.id();
        let (whole, times) = (world.query(), world.query());
        let (motions, all) = (world.query(), world.query());
        world.despawn(first);
        Self { world, whole, times, motions, all }
    }

    #[inline(always)]
    fn insert(&mut self, particle: Particle) -> Entity {
        let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
        self.world.spawn((Time(t), Place(x, y, z), Speed(vx, vy, vz), Colour(r, g, b))).id()
    }

    #[inline(always)]
    fn remove(&mut self, key: Entity) -> Option<Particle> {
        let (&Time(t), &Place(x, y, z), &Speed(vx, vy, vz), &Colour(r, g, b)) =
            self.whole.get_manual(&self.world, key).ok()?;
        self.world.despawn(key);
        Some(Particle { t, x, y, z, vx, vy, vz, r, g, b })
    }

    #[inline(always)]
    fn sum_of(&self, key: Entity) -> Option<f32> {
        let (&Time(t), &Place(x, y, z), &Speed(vx, vy, vz), &Colour(r, g, b)) =
            self.whole.get_manual(&self.world, key).ok()?;
        Some(t + x + y + z + vx + vy + vz + r + g + b)
    }

    #[inline(never)]
    fn tick(&mut self, dt: f32) {
        self.times.iter_mut(&mut self.world).for_each(|mut time| time.0 += dt);
    }

    #[inline(never)]
    fn simulate(&mut self, dt: f32) {
        self.motions.iter_mut(&mut self.world).for_each(|(mut place, speed)| {
            place.0 += speed.0 * dt;
            place.1 += speed.1 * dt;
            place.2 += speed.2 * dt;
        });
    }

    #[inline(never)]
    fn all(&mut self, dt: f32) {
        self.all.iter_mut(&mut self.world).for_each(
            |(mut time, mut place, mut speed, mut colour)| {
                let (Place(x, y, z), Speed(vx, vy, vz)) = (*place, *speed);
                let Colour(r, g, b) = *colour;
                let mut one = Particle { t: time.0, x, y, z, vx, vy, vz, r, g, b };
                all_one(&mut one, dt);
                *time = Time(one.t);
                *place = Place(one.x, one.y, one.z);
                *speed = Speed(one.vx, one.vy, one.vz);
                *colour = Colour(one.r, one.g, one.b);
            },
        );
    }
}

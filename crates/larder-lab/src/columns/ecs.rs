//! Entity component systems: columns of components, which a program chooses as it reads them.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::QueryState;
use bevy_ecs::world::World;

use super::flocks::Flock;
use super::particle::Particle;
use super::particle::all_one;

#[derive(Clone, Copy, Component)]
struct Time(f32);
#[derive(Clone, Copy, Component)]
struct Place(f32, f32, f32);
#[derive(Clone, Copy, Component)]
struct Speed(f32, f32, f32);
#[derive(Clone, Copy, Component)]
struct Colour(f32, f32, f32);

type Whole = (&'static Time, &'static Place, &'static Speed, &'static Colour);
type All<'a> = (&'a mut Time, &'a mut Place, &'a mut Speed, &'a mut Colour);

/// All fields of a particle in four components change.
#[inline(always)]
fn change(time: &mut Time, place: &mut Place, speed: &mut Speed, colour: &mut Colour, dt: f32) {
    let (Place(x, y, z), Speed(vx, vy, vz), Colour(r, g, b)) = (*place, *speed, *colour);
    let mut one = Particle { t: time.0, x, y, z, vx, vy, vz, r, g, b };
    all_one(&mut one, dt);
    *time = Time(one.t);
    *place = Place(one.x, one.y, one.z);
    *speed = Speed(one.vx, one.vy, one.vz);
    *colour = Colour(one.r, one.g, one.b);
}

/// `hecs`: entities of four components, each an array.
pub(crate) struct Hecs(::hecs::World);

flocks! { Hecs, "hecs";
    type Key = ::hecs::Entity;

    fn with_capacity(count) {
        let mut world = ::hecs::World::new();
        world.reserve::<(Time, Place, Speed, Colour)>(count as u32);
        Self(world)
    }
    fn insert(&mut self, particle) {
        let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
        self.0.spawn((Time(t), Place(x, y, z), Speed(vx, vy, vz), Colour(r, g, b)))
    }
    fn remove(&mut self, key) {
        let (time, place, speed, colour) =
            self.0.remove::<(Time, Place, Speed, Colour)>(key).ok()?;
        self.0.despawn(key).ok()?;
        let (Time(t), Place(x, y, z)) = (time, place);
        let (Speed(vx, vy, vz), Colour(r, g, b)) = (speed, colour);
        Some(Particle { t, x, y, z, vx, vy, vz, r, g, b })
    }
    fn sum_of(&self, key) {
        let mut one = self.0.query_one::<(&Time, &Place, &Speed, &Colour)>(key);
        let (&Time(t), &Place(x, y, z), &Speed(vx, vy, vz), &Colour(r, g, b)) = one.get().ok()?;
        Some(t + x + y + z + vx + vy + vz + r + g + b)
    }
    fn tick(&mut self, dt) {
        for time in self.0.query_mut::<&mut Time>() {
            time.0 += dt;
        }
    }
    fn simulate(&mut self, dt) {
        for (place, speed) in self.0.query_mut::<(&mut Place, &Speed)>() {
            place.0 += speed.0 * dt;
            place.1 += speed.1 * dt;
            place.2 += speed.2 * dt;
        }
    }
    fn all(&mut self, dt) {
        for (time, place, speed, colour) in self.0.query_mut::<All<'_>>() {
            change(time, place, speed, colour, dt);
        }
    }
}

/// `bevy_ecs`: entities of four components, each an array, and the queries about them, which are kept.
pub(crate) struct Bevy {
    world: World,
    whole: QueryState<Whole>,
    times: QueryState<&'static mut Time>,
    motions: QueryState<(&'static mut Place, &'static Speed)>,
    all: QueryState<All<'static>>,
}

flocks! { Bevy, "bevy_ecs";
    type Key = Entity;

    fn with_capacity(_count) {
        // There is no way to reserve room for entities of given components.
        let mut world = World::new();
        // Their table comes with the first of them; a query made before it would find nothing.
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
    fn insert(&mut self, particle) {
        let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
        self.world.spawn((Time(t), Place(x, y, z), Speed(vx, vy, vz), Colour(r, g, b))).id()
    }
    fn remove(&mut self, key) {
        let (&Time(t), &Place(x, y, z), &Speed(vx, vy, vz), &Colour(r, g, b)) =
            self.whole.get_manual(&self.world, key).ok()?;
        self.world.despawn(key);
        Some(Particle { t, x, y, z, vx, vy, vz, r, g, b })
    }
    fn sum_of(&self, key) {
        let (&Time(t), &Place(x, y, z), &Speed(vx, vy, vz), &Colour(r, g, b)) =
            self.whole.get_manual(&self.world, key).ok()?;
        Some(t + x + y + z + vx + vy + vz + r + g + b)
    }
    fn tick(&mut self, dt) { self.times.iter_mut(&mut self.world).for_each(|mut time| time.0 += dt); }
    fn simulate(&mut self, dt) {
        self.motions.iter_mut(&mut self.world).for_each(|(mut place, speed)| {
            place.0 += speed.0 * dt;
            place.1 += speed.1 * dt;
            place.2 += speed.2 * dt;
        });
    }
    fn all(&mut self, dt) {
        self.all.iter_mut(&mut self.world).for_each(
            |(mut time, mut place, mut speed, mut colour)| {
                change(&mut time, &mut place, &mut speed, &mut colour, dt);
            },
        );
    }
}

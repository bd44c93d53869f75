//! An entity component system: columns of components, which a program chooses as they are read.

use crate::columns::flock::Flock;
use crate::columns::kernels::all_one;
use crate::columns::particle::Particle;

#[derive(Clone, Copy)]
struct Time(f32);
#[derive(Clone, Copy)]
struct Place(f32, f32, f32);
#[derive(Clone, Copy)]
struct Speed(f32, f32, f32);
#[derive(Clone, Copy)]
struct Colour(f32, f32, f32);

type All<'a> = (&'a mut Time, &'a mut Place, &'a mut Speed, &'a mut Colour);

/// `hecs`: entities of four components, each an array.
pub(crate) struct Hecs(::hecs::World);

impl Flock for Hecs {
    type Key = ::hecs::Entity;

    const NAME: &'static str = "hecs";

    fn with_capacity(count: usize) -> Self {
        let mut world = ::hecs::World::new();
        world.reserve::<(Time, Place, Speed, Colour)>(count as u32);
        Self(world)
    }

    #[inline(always)]
    fn insert(&mut self, particle: Particle) -> Self::Key {
        let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
        self.0.spawn((Time(t), Place(x, y, z), Speed(vx, vy, vz), Colour(r, g, b)))
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<Particle> {
        let (time, place, speed, colour) =
            self.0.remove::<(Time, Place, Speed, Colour)>(key).ok()?;
        self.0.despawn(key).ok()?;
        let (Time(t), Place(x, y, z)) = (time, place);
        let (Speed(vx, vy, vz), Colour(r, g, b)) = (speed, colour);
        Some(Particle { t, x, y, z, vx, vy, vz, r, g, b })
    }

    #[inline(always)]
    fn sum_of(&self, key: Self::Key) -> Option<f32> {
        let mut one = self.0.query_one::<(&Time, &Place, &Speed, &Colour)>(key);
        let (&Time(t), &Place(x, y, z), &Speed(vx, vy, vz), &Colour(r, g, b)) = one.get().ok()?;
        Some(t + x + y + z + vx + vy + vz + r + g + b)
    }

    #[inline(never)]
    fn tick(&mut self, dt: f32) {
        for time in self.0.query_mut::<&mut Time>() {
            time.0 += dt;
        }
    }

    #[inline(never)]
    fn simulate(&mut self, dt: f32) {
        for (place, speed) in self.0.query_mut::<(&mut Place, &Speed)>() {
            place.0 += speed.0 * dt;
            place.1 += speed.1 * dt;
            place.2 += speed.2 * dt;
        }
    }

    #[inline(never)]
    fn all(&mut self, dt: f32) {
        for (time, place, speed, colour) in self.0.query_mut::<All<'_>>() {
            let (Place(x, y, z), Speed(vx, vy, vz)) = (*place, *speed);
            let Colour(r, g, b) = *colour;
            let mut one = Particle { t: time.0, x, y, z, vx, vy, vz, r, g, b };
            all_one(&mut one, dt);
            *time = Time(one.t);
            *place = Place(one.x, one.y, one.z);
            *speed = Speed(one.vx, one.vy, one.vz);
            *colour = Colour(one.r, one.g, one.b);
        }
    }
}

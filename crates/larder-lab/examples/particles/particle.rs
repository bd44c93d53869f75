//! A particle, in a row, in columns or in lanes, and how it moves.

use larder::Soa;

/// Ten numbers, of which a tick needs four.
#[derive(Clone, Copy, Soa)]
pub(crate) struct Particle {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) vx: f32,
    pub(crate) vy: f32,
    other: [f32; 6],
}

#[derive(Soa)]
#[soa(lanes = 8)]
pub(crate) struct InLanes {
    #[soa(nested)]
    pub(crate) all: Particle,
}

pub(crate) fn particle(number: usize, count: usize) -> Particle {
    let (angle, radius) = (number as f32 * 2.4, (number as f32 / count as f32).sqrt());
    let (sin, cos) = angle.sin_cos();
    let speed = 0.3 * (1.0 + number as f32 * 7.0 / count as f32).sin();
    Particle {
        x: radius * cos,
        y: radius * sin,
        vx: -speed * sin,
        vy: speed * cos,
        other: [0.0; 6],
    }
}

#[inline(always)]
pub(crate) fn tick(x: &mut f32, y: &mut f32, vx: &mut f32, vy: &mut f32) {
    let pull = -0.02 / (*x * *x + *y * *y + 0.1);
    (*vx, *vy) = (*vx + *x * pull, *vy + *y * pull);
    (*x, *y) = (*x + *vx * 0.05, *y + *vy * 0.05);
}

#[inline(always)]
pub(crate) fn tick_all(x: &mut [f32], y: &mut [f32], vx: &mut [f32], vy: &mut [f32]) {
    x.iter_mut().zip(y).zip(vx).zip(vy).for_each(|(((x, y), vx), vy)| tick(x, y, vx, vy));
}

//! Particles that fall around a middle, in rows, in columns, in lanes, and in rows that are columns for a
//! while: a chart of the time each takes, and a picture of where the particles end up.
//!
//! ```sh
//! cargo run --release -p larder-lab --example particles          # 1,000,000
//! cargo run --release -p larder-lab --example particles 100000
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod draw;

use std::{env, fs, time::Instant};

use indicatif::ProgressBar;
use larder::{Arena, Soa, SoaArena};

/// Ten numbers, of which a tick needs four.
#[derive(Clone, Copy, Soa)]
struct Particle {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
    other: [f32; 6],
}

#[derive(Soa)]
#[soa(lanes = 8)]
struct InLanes {
    #[soa(nested)]
    all: Particle,
}

const TICKS: u32 = 100;

fn particle(number: usize, count: usize) -> Particle {
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
fn tick(x: &mut f32, y: &mut f32, vx: &mut f32, vy: &mut f32) {
    let pull = -0.02 / (*x * *x + *y * *y + 0.1);
    (*vx, *vy) = (*vx + *x * pull, *vy + *y * pull);
    (*x, *y) = (*x + *vx * 0.05, *y + *vy * 0.05);
}

#[inline(always)]
fn tick_all(x: &mut [f32], y: &mut [f32], vx: &mut [f32], vy: &mut [f32]) {
    x.iter_mut().zip(y).zip(vx).zip(vy).for_each(|(((x, y), vx), vy)| tick(x, y, vx, vy));
}

fn main() -> anyhow::Result<()> {
    let count = env::args().nth(1).map_or(Ok(1_000_000), |count| count.parse::<usize>())?;
    let particles = || (0..count).map(|number| particle(number, count));
    let bar = ProgressBar::new(u64::from(4 * TICKS));
    let time = |name: &'static str, act: &mut dyn FnMut()| {
        let best = (0..TICKS).map(|_| {
            let began = Instant::now();
            act();
            bar.inc(1);
            began.elapsed().as_secs_f64() * 1e9 / count as f64
        });
        (name, best.fold(f64::INFINITY, f64::min))
    };

    let mut rows: Arena<_> = particles().collect();
    let mut for_a_while = rows.clone();
    let mut columns: SoaArena<_> = particles().collect();
    let mut lanes: SoaArena<_> = particles().map(|all| InLanes { all }).collect();
    let times = [
        time("rows", &mut || {
            rows.values_mut().for_each(|p| tick(&mut p.x, &mut p.y, &mut p.vx, &mut p.vy));
        }),
        time("rows, as columns for a while", &mut || {
            for_a_while.with_columns_of_mut(
                |_, p| (p.x, p.y, p.vx, p.vy),
                |(x, y, vx, vy)| tick_all(x, y, vx, vy),
                |p, (x, y, vx, vy)| (p.x, p.y, p.vx, p.vy) = (x, y, vx, vy),
            );
        }),
        time("columns", &mut || {
            let ParticleColumnsMut { x, y, vx, vy, .. } = columns.columns_mut();
            tick_all(x, y, vx, vy);
        }),
        time("lanes of 8", &mut || {
            for (_, InLanesLanesMut { all }) in lanes.blocks_mut() {
                tick_all(all.x, all.y, all.vx, all.vy);
            }
        }),
    ];
    bar.finish_and_clear();

    let places = || columns.columns().x.iter().zip(columns.columns().y);
    assert!(rows.values().map(|p| (&p.x, &p.y)).eq(places()), "all layouts compute the same");
    assert!(for_a_while.values().map(|p| (&p.x, &p.y)).eq(places()));
    assert!(lanes.values().map(|lane| (lane.all.x, lane.all.y)).eq(places()));
    fs::create_dir_all("report")?;
    times.iter().for_each(|(name, time)| println!("{time:8.2} ns  {name}"));
    draw::chart(&times, "report/particles.svg")?;
    draw::picture(places(), "report/particles.png")?;
    println!("report/particles.svg: the times; report/particles.png: the particles");
    Ok(())
}

//! Particles that fall around a middle, in rows, in columns and in lanes: a chart of the time each
//! takes, and a picture of where the particles end up.
//!
//! ```sh
//! cargo run --release -p larder-lab --example particles  # 1,000,000; or say how many
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod draw;
mod particle;

use std::{env, fs, time::Instant};

use indicatif::ProgressBar;
use larder::{Arena, SoaArena};
use particle::{InLanes, InLanesLanesMut, ParticleColumnsMut, particle, tick, tick_all};

const TICKS: u32 = 100;

fn main() -> anyhow::Result<()> {
    let count = env::args().nth(1).map_or(Ok(1_000_000), |count| count.parse::<usize>())?;
    let particles = || (0..count).map(|number| particle(number, count));
    let bar = ProgressBar::new(u64::from(3 * TICKS));
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
    let mut columns: SoaArena<_> = particles().collect();
    let mut lanes: SoaArena<_> = particles().map(|all| InLanes { all }).collect();
    let times = [
        time("rows", &mut || {
            rows.values_mut().for_each(|p| tick(&mut p.x, &mut p.y, &mut p.vx, &mut p.vy));
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
    assert!(lanes.values().map(|lane| (lane.all.x, lane.all.y)).eq(places()));
    fs::create_dir_all("report")?;
    times.iter().for_each(|(name, time)| println!("{time:8.2} ns  {name}"));
    draw::chart(&times, "report/particles.svg")?;
    draw::picture(places(), "report/particles.png")?;
    println!("report/particles.svg: the times; report/particles.png: the particles");
    Ok(())
}

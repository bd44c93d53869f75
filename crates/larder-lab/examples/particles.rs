//! Particles that fall around a middle, in rows, in columns and in lanes: a chart of the time each
//! takes, and a picture of where the particles end up.
//!
//! ```sh
//! cargo run --release -p larder-lab --example particles  # 1,000,000; or say how many
//! ```
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use core::fmt::Write as _;
use std::{env, fs, time::Instant};

use indicatif::ProgressBar;
use larder::{Arena, Soa, SoaArena};

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
    chart(&times, "report/particles.svg")?;
    picture(places(), "report/particles.png")?;
    println!("report/particles.svg: the times; report/particles.png: the particles");
    Ok(())
}

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

/// Bars, the longest 400 wide.
fn chart(times: &[(&str, f64)], path: &str) -> anyhow::Result<()> {
    let longest = times.iter().fold(0.0, |longest: f64, (_, time)| longest.max(*time));
    let mut svg = String::from(
        "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='150' font-family='sans-serif' \
         font-size='14'><rect width='720' height='150' fill='white'/>\
         <text x='10' y='20'>nanoseconds a particle and tick</text>",
    );
    for ((name, time), y) in times.iter().zip((30..).step_by(28)) {
        let (width, text) = (time / longest * 400.0, y + 16);
        write!(svg, "<text x='10' y='{text}'>{name}</text>")?;
        write!(svg, "<rect x='220' y='{y}' width='{width:.0}' height='22' fill='steelblue'/>")?;
        write!(svg, "<text x='{:.0}' y='{text}'>{time:.2}</text>", 226.0 + width)?;
    }
    Ok(fs::write(path, svg + "</svg>\n")?)
}

/// The brighter, the more particles in a pixel.
fn picture<'a>(places: impl Iterator<Item = (&'a f32, &'a f32)>, path: &str) -> anyhow::Result<()> {
    const SIDE: usize = 800;
    let mut counts = vec![0_u32; SIDE * SIDE];
    for (x, y) in places {
        let [column, row] = [x, y].map(|place| (place / 3.0 + 0.5) * SIDE as f32);
        if let Some(pixel) = counts.get_mut(row as usize * SIDE + (column as usize).min(SIDE - 1)) {
            *pixel += 1;
        }
    }
    let brightest = f32::log2(1.0 + counts.iter().copied().max().unwrap_or(1) as f32);
    let shade = |count: u32| (255.0 * f32::log2(1.0 + count as f32) / brightest) as u8;
    let pixels: Vec<u8> = counts.into_iter().map(shade).collect();
    let mut encoder = png::Encoder::new(fs::File::create(path)?, SIDE as u32, SIDE as u32);
    encoder.set_color(png::ColorType::Grayscale);
    Ok(encoder.write_header()?.write_image_data(&pixels)?)
}

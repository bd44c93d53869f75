//! Charts and pictures.

use core::fmt::Write as _;
use std::fs;

/// Bars, the longest 400 wide.
pub(crate) fn chart(times: &[(&str, f64)], path: &str) -> anyhow::Result<()> {
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
pub(crate) fn picture<'a>(
    places: impl Iterator<Item = (&'a f32, &'a f32)>,
    path: &str,
) -> anyhow::Result<()> {
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

//! A baseline: columns laid out without regard to cache sets.

use core::array;

use crate::columns::flock::{Flock, by_columns};
use crate::columns::kernels::Columns;
use crate::columns::particle::{FIELDS, Particle};

/// A page of 4 KiB, in numbers.
const PAGE: usize = 4096 / size_of::<f32>();

/// Ten columns, each of which begins at a multiple of 4 KiB, so that all fields of a particle lie in the
/// same cache set. A key is a position.
#[derive(Debug)]
pub(crate) struct Aligned {
    numbers: Vec<f32>,
    /// Where the first column begins, and the distance to the next one.
    first: usize,
    stride: usize,
    len: usize,
}

impl Aligned {
    #[inline(always)]
    fn columns(&mut self) -> Columns<'_> {
        let (len, stride) = (self.len, self.stride);
        let mut columns = self.numbers[self.first..].chunks_exact_mut(stride);
        let mut next = || &mut columns.next().expect("there are ten columns")[..len];
        Columns {
            t: next(),
            x: next(),
            y: next(),
            z: next(),
            vx: next(),
            vy: next(),
            vz: next(),
            r: next(),
            g: next(),
            b: next(),
        }
    }

    #[inline(always)]
    fn place(&self, field: usize, at: usize) -> usize {
        self.first + field * self.stride + at
    }

    #[inline(always)]
    fn fields(&self, at: usize) -> [f32; FIELDS] {
        array::from_fn(|field| self.numbers[self.place(field, at)])
    }

    #[inline(always)]
    fn write(&mut self, at: usize, fields: [f32; FIELDS]) {
        for (field, number) in fields.into_iter().enumerate() {
            let place = self.place(field, at);
            self.numbers[place] = number;
        }
    }
}

impl Flock for Aligned {
    type Key = u32;

    const NAME: &'static str = "columns at 4 KiB";

    fn with_capacity(count: usize) -> Self {
        let stride = count.next_multiple_of(PAGE);
        let numbers = vec![0.0; FIELDS * stride + PAGE];
        let first = numbers.as_ptr().align_offset(PAGE * size_of::<f32>());
        Self { numbers, first, stride, len: 0 }
    }

    #[inline(always)]
    fn insert(&mut self, particle: Particle) -> u32 {
        assert!(self.len < self.stride, "there is no more room");
        let Particle { t, x, y, z, vx, vy, vz, r, g, b } = particle;
        self.write(self.len, [t, x, y, z, vx, vy, vz, r, g, b]);
        self.len += 1;
        self.len as u32 - 1
    }

    #[inline(always)]
    fn remove(&mut self, key: u32) -> Option<Particle> {
        let [t, x, y, z, vx, vy, vz, r, g, b] = self.fields(key as usize);
        self.len -= 1;
        self.write(key as usize, self.fields(self.len));
        Some(Particle { t, x, y, z, vx, vy, vz, r, g, b })
    }

    #[inline(always)]
    fn sum_of(&self, key: u32) -> Option<f32> {
        ((key as usize) < self.len).then(|| {
            let fields = self.fields(key as usize);
            fields.into_iter().fold(0.0, |sum, field| sum + field)
        })
    }

    by_columns!(|all| all.columns());
}

//! The grid beside all points, tested one by one.

use std::collections::BTreeMap;

use larder::indices::{GridIndex, IndexError};

use crate::bytes::Bytes;
use crate::keys::{Id, Objects};

const CELL: f32 = 8.0;

/// A coordinate: near the origin, on the edge of a cell, far, or any bits at all.
fn coordinate(bytes: &mut Bytes<'_>) -> f32 {
    let fine = f32::from(bytes.short() as i16) / 256.0;
    match bytes.byte() % 16 {
        0..=9 => fine,
        10 | 11 => fine.round() * CELL,
        12 => fine * 1e3,
        13 => fine * 1e6,
        14 => f32::from_bits((bytes.long() as u32) | (u32::from(bytes.byte()) << 24)),
        _ => 0.0,
    }
}

fn point<const N: usize>(bytes: &mut Bytes<'_>) -> [f32; N] {
    core::array::from_fn(|_| coordinate(bytes))
}

fn distance_squared<const N: usize>(a: [f32; N], b: [f32; N]) -> f64 {
    a.iter().zip(&b).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2)).sum()
}

struct Trial<const N: usize> {
    objects: Objects,
    grid: GridIndex<Id, N>,
    filed: BTreeMap<u32, (Id, [f32; N])>,
}

impl<const N: usize> Trial<N> {
    fn insert(&mut self, key: Id, point: [f32; N]) {
        let tenant = self.filed.get(&key.slot()).map(|filed| filed.0);
        let stale = tenant.filter(|tenant| tenant.generation() > key.generation());
        match self.grid.insert(key, point) {
            Ok(()) => {
                assert!(point.iter().all(|at| at.is_finite()) && stale.is_none());
                self.filed.insert(key.slot(), (key, point));
            }
            Err(IndexError::Stale { tenant }) => assert_eq!(Some(tenant), stale),
            Err(_) => assert!(point.iter().any(|at| !at.is_finite())),
        }
    }

    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 16 {
            0..=4 => {
                let key = self.objects.insert();
                self.insert(key, point(bytes));
            }
            5..=7 => {
                if let Some(key) = self.objects.pick(bytes) {
                    self.insert(key, point(bytes));
                }
            }
            8..=10 => {
                if let Some(key) = self.objects.pick(bytes) {
                    let filed = self.filed.get(&key.slot()).filter(|filed| filed.0 == key).copied();
                    assert_eq!(self.grid.remove(key), filed.map(|filed| filed.1));
                    if filed.is_some() {
                        self.filed.remove(&key.slot());
                    }
                    self.objects.arena.remove(key);
                }
            }
            11 => {
                self.grid.retain_live(&self.objects.arena);
                self.filed.retain(|_, filed| self.objects.arena.contains_key(filed.0));
            }
            12 => {
                // A cloud, dense or wide.
                let (count, spread, center) =
                    (bytes.byte(), f32::from(bytes.byte()) / 64.0, point::<N>(bytes));
                for at in 0..u16::from(count) {
                    let turned = |axis: usize| {
                        f32::from(at.wrapping_mul(40_503).rotate_left(axis as u32 * 5) as i16)
                    };
                    let key = self.objects.insert();
                    self.insert(
                        key,
                        core::array::from_fn(|axis| center[axis] + spread * turned(axis) / 512.0),
                    );
                }
            }
            _ => self.query(bytes),
        }
    }

    fn expected(&self, is_hit: impl Fn([f32; N]) -> bool) -> Vec<(Id, [f32; N])> {
        self.filed.values().filter(|filed| is_hit(filed.1)).copied().collect()
    }

    fn query(&self, bytes: &mut Bytes<'_>) {
        let center = point::<N>(bytes);
        let is_finite = center.iter().all(|at| at.is_finite());
        let radius = coordinate(bytes).abs();
        match self.grid.within(center, radius) {
            Ok(found) => {
                assert!(is_finite && !radius.is_nan());
                let limit = f64::from(radius) * f64::from(radius);
                same(found.collect(), self.expected(|at| distance_squared(at, center) <= limit));
            }
            Err(_) => assert!(!is_finite || radius.is_nan()),
        }
        let other = point::<N>(bytes);
        let (low, high): ([f32; N], [f32; N]) = (
            core::array::from_fn(|a| center[a].min(other[a])),
            core::array::from_fn(|a| center[a].max(other[a])),
        );
        if let Ok(found) = self.grid.in_box(low, high) {
            let is_in =
                |at: [f32; N]| (0..N).all(|axis| (low[axis]..=high[axis]).contains(&at[axis]));
            same(found.collect(), self.expected(is_in));
        }
        let mut distances: Vec<f64> =
            self.filed.values().map(|filed| distance_squared(filed.1, center)).collect();
        distances.sort_by(f64::total_cmp);
        match self.grid.nearest(center) {
            Ok(nearest) => {
                let found = nearest.map(|(_, at)| distance_squared(at, center));
                assert_eq!(found, distances.first().copied());
            }
            Err(_) => assert!(!is_finite),
        }
    }

    fn check(&self) {
        self.grid.validate();
        same(self.grid.iter().collect(), self.filed.values().copied().collect());
        for &key in self.objects.keys.iter().rev().take(30) {
            let filed = self.filed.get(&key.slot()).filter(|filed| filed.0 == key);
            assert_eq!(self.grid.point(key), filed.map(|filed| filed.1));
        }
    }
}

fn same<const N: usize>(mut found: Vec<(Id, [f32; N])>, mut expected: Vec<(Id, [f32; N])>) {
    found.sort_by_key(|(key, _)| *key);
    expected.sort_by_key(|(key, _)| *key);
    assert_eq!(found, expected);
}

fn history<const N: usize>(bytes: &mut Bytes<'_>) {
    let mut trial = Trial::<N> {
        objects: Objects::default(),
        grid: GridIndex::new(CELL),
        filed: BTreeMap::new(),
    };
    let mut steps = 0;
    while !bytes.is_empty() && steps < 300 && trial.filed.len() < 3_000 {
        trial.step(bytes);
        steps += 1;
        if steps % 16 == 0 {
            trial.check();
        }
    }
    trial.check();
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.byte() % 2 {
        0 => history::<2>(&mut bytes),
        _ => history::<3>(&mut bytes),
    }
}

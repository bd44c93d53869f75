//! Columns computed from values that are stored as rows, one scratch buffer at a time.

use core::mem::MaybeUninit;

use super::{Soa, view};
use crate::explain;
use crate::soa::raw::arrange::{OnStack, TemporaryColumns};
use crate::soa::raw::shape::{Leaf, Nest, Pair, Shape};

/// Computes with rows as columns: calls `load` for each key and value, and `compute` with the results of
/// as many calls as fit into 16 KiB, as columns (slices of the same length). The columns may be written
/// to, and are discarded afterwards. Does not allocate, but takes 16 KiB of the stack. O(values).
///
/// It pays if much is computed with a few fields of each value: the columns stay in the first-level cache,
/// and loops over them can be vectorised. `load` may return any type that has columns ([`Soa`](trait@Soa)): a
/// number, a tuple, a struct with `#[derive(Soa)]`; a key can be a column, too. The values themselves may be
/// of any type, and are never moved. `values` is a container by reference, or an iterator over keys and
/// values.
///
/// # Panics
/// If not even one value fits into the scratch.
///
/// # Examples
/// ```
/// use larder::{Arena, soa};
///
/// struct Body { name: String, mass: f32, speed: f32 }
///
/// let mut bodies = Arena::new();
/// bodies.insert(Body { name: "moon".into(), mass: 7.0, speed: 2.0 });
/// bodies.insert(Body { name: "comet".into(), mass: 1.0, speed: 9.0 });
/// let mut energy = 0.0;
/// soa::gather(
///     &bodies,
///     |_, body| (body.mass, body.speed),
///     |(masses, speeds)| {
///         for (mass, speed) in masses.iter().zip(speeds) {
///             energy += 0.5 * *mass * *speed * *speed;
///         }
///     },
/// );
/// assert_eq!(energy, 54.5);
/// # assert_eq!(bodies.values().map(|body| body.name.len()).sum::<usize>(), 9);
/// ```
#[doc(alias("with_columns_of", "batches", "aos to soa"))]
#[inline]
#[track_caller]
pub fn gather<'t, T: 't, K, V: Soa + 'static>(
    values: impl IntoIterator<Item = (K, &'t T)>,
    load: impl FnMut(K, &T) -> V,
    compute: impl FnMut(view::ColumnsMut<'_, V>),
) {
    let mut scratch = OnStack::new();
    gather_in(scratch.block(), values, load, compute);
}

/// Like [`gather`], with the columns in the caller's scratch, of any length: a larger one, or a smaller one
/// where the stack is small. An alignment of 64 is best. Does not allocate. O(values).
///
/// # Panics
/// If not even one value fits into the scratch; the message says how many bytes are missing.
///
/// # Examples
/// ```
/// use core::mem::MaybeUninit;
/// use larder::{Arena, soa};
///
/// let arena = Arena::from_iter([(3_i32, "three"), (4, "four")]);
/// let mut scratch = [MaybeUninit::uninit(); 1_024];
/// let mut sum = 0;
/// soa::gather_in(&mut scratch, &arena, |_, row| row.0, |numbers| sum += numbers.iter().sum::<i32>());
/// assert_eq!(sum, 7);
/// ```
#[doc(alias = "with_columns_of_in")]
#[inline]
#[track_caller]
pub fn gather_in<'t, T: 't, K, V: Soa + 'static>(
    scratch: &mut [MaybeUninit<u8>],
    values: impl IntoIterator<Item = (K, &'t T)>,
    mut load: impl FnMut(K, &T) -> V,
    mut compute: impl FnMut(view::ColumnsMut<'_, V>),
) {
    let mut scratch = within::<Nest<V>>(scratch);
    values.into_iter().for_each(|(key, value)| {
        if scratch.is_full() {
            compute(scratch.columns_mut());
            scratch.clear();
        }
        scratch.push(load(key, value));
    });
    if !scratch.is_empty() {
        compute(scratch.columns_mut());
    }
}

/// Like [`gather`], and then calls `store` for each value with what was computed, to write back all, some
/// or no fields. Does not allocate, but takes 16 KiB of the stack, of which each value needs the size of an
/// address beside its columns. O(values).
///
/// If a closure panics, the values that `store` returned for are changed, and no others.
///
/// # Panics
/// If not even one value fits into the scratch.
///
/// # Examples
/// ```
/// use larder::{Arena, soa};
///
/// struct Body { name: String, place: f32, speed: f32 }
///
/// let mut bodies = Arena::new();
/// bodies.insert(Body { name: "moon".into(), place: 1.0, speed: 0.5 });
/// bodies.insert(Body { name: "comet".into(), place: 9.0, speed: -3.0 });
/// soa::gather_mut(
///     &mut bodies,
///     |_, body| (body.place, body.speed),
///     |(places, speeds)| {
///         for (place, speed) in places.iter_mut().zip(speeds) {
///             *place += *speed;
///         }
///     },
///     |body, (place, _)| body.place = place,
/// );
/// assert!(bodies.values().map(|body| body.place).eq([1.5, 6.0]));
/// # assert_eq!(bodies.values().map(|body| body.name.len()).sum::<usize>(), 9);
/// ```
#[doc(alias("with_columns_of_mut", "scatter", "batches_mut"))]
#[inline]
#[track_caller]
pub fn gather_mut<'t, T: 't, K, V: Soa + 'static>(
    values: impl IntoIterator<Item = (K, &'t mut T)>,
    load: impl FnMut(K, &T) -> V,
    compute: impl FnMut(view::ColumnsMut<'_, V>),
    store: impl FnMut(&mut T, V),
) {
    let mut scratch = OnStack::new();
    gather_mut_in(scratch.block(), values, load, compute, store);
}

/// Like [`gather_mut`], with the columns in the caller's scratch, of any length. Does not allocate.
/// O(values).
///
/// # Panics
/// If not even one value fits into the scratch; the message says how many bytes are missing.
///
/// # Examples
/// ```
/// use core::mem::MaybeUninit;
/// use larder::{Arena, soa};
///
/// let mut arena = Arena::from_iter([1.0_f64, 2.0]);
/// let mut scratch = [MaybeUninit::uninit(); 1_024];
/// soa::gather_mut_in(
///     &mut scratch,
///     &mut arena,
///     |_, number| *number,
///     |numbers| numbers.iter_mut().for_each(|number| *number *= 10.0),
///     |number, computed| *number = computed,
/// );
/// assert!(arena.values().eq(&[10.0, 20.0]));
/// ```
#[doc(alias = "with_columns_of_mut_in")]
#[inline]
#[track_caller]
pub fn gather_mut_in<'t, T: 't, K, V: Soa + 'static>(
    scratch: &mut [MaybeUninit<u8>],
    values: impl IntoIterator<Item = (K, &'t mut T)>,
    mut load: impl FnMut(K, &T) -> V,
    mut compute: impl FnMut(view::ColumnsMut<'_, V>),
    mut store: impl FnMut(&mut T, V),
) {
    // One more column has the references to the values, so that each result finds its value again.
    let mut scratch = within::<Pair<Nest<V>, Leaf<&'t mut T>>>(scratch);
    let mut finish = |scratch: &mut TemporaryColumns<'_, Pair<Nest<V>, Leaf<&'t mut T>>>| {
        compute(scratch.columns_mut().0);
        while let Some((columns, value)) = scratch.pop_front() {
            store(value, columns);
        }
        scratch.clear();
    };
    values.into_iter().for_each(|(key, value)| {
        if scratch.is_full() {
            finish(&mut scratch);
        }
        scratch.push((load(key, value), value));
    });
    if !scratch.is_empty() {
        finish(&mut scratch);
    }
}

#[track_caller]
fn within<S: Shape>(block: &mut [MaybeUninit<u8>]) -> TemporaryColumns<'_, S> {
    match TemporaryColumns::within(block) {
        Ok(scratch) => scratch,
        Err(missing) => explain::scratch_too_small(missing),
    }
}

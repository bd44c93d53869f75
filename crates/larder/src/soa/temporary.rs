//! Columns made of values that lie elsewhere, a scratch full at a time.

use core::mem::MaybeUninit;

use super::Soa;
use crate::explain;
use crate::raw::columns::scratch::Scratch;
use crate::raw::columns::shape::{Leaf, Nest, Pair, Shape};

/// Where temporary columns lie on the stack.
pub(crate) use crate::raw::columns::scratch::OnStack;

/// Computes on what `load` makes of each value.
#[inline]
#[track_caller]
pub(crate) fn read<'t, C, T: 't, K, V: Soa + 'static>(
    scratch: &mut [MaybeUninit<u8>],
    values: impl Iterator<Item = (K, &'t T)>,
    mut load: impl FnMut(K, &T) -> V,
    mut compute: impl FnMut(V::ColumnsMut<'_>),
) {
    let mut scratch = within::<C, Nest<V>>(scratch);
    values.for_each(|(key, value)| {
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

/// Computes on what `load` makes of each value, and has `store` write it back. Where each value lies is
/// one more column.
#[inline]
#[track_caller]
pub(crate) fn change<'t, C, T: 't, K, V: Soa + 'static>(
    scratch: &mut [MaybeUninit<u8>],
    values: impl Iterator<Item = (K, &'t mut T)>,
    mut load: impl FnMut(K, &T) -> V,
    mut compute: impl FnMut(V::ColumnsMut<'_>),
    mut store: impl FnMut(&mut T, V),
) {
    let mut scratch = within::<C, Pair<Nest<V>, Leaf<&'t mut T>>>(scratch);
    let mut finish = |scratch: &mut Scratch<'_, Pair<Nest<V>, Leaf<&'t mut T>>>| {
        compute(scratch.columns_mut().0);
        while let Some((columns, value)) = scratch.pop_front() {
            store(value, columns);
        }
        scratch.clear();
    };
    values.for_each(|(key, value)| {
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
fn within<C, S: Shape>(block: &mut [MaybeUninit<u8>]) -> Scratch<'_, S> {
    match Scratch::within(block) {
        Ok(scratch) => scratch,
        Err(missing) => explain::scratch_too_small::<C>(missing),
    }
}

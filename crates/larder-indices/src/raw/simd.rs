//! Four at once: numbers, with which a grid compares points, and results of comparisons, which a search in a
//! B+tree's node counts as bits. And a line of the cache ahead of its time.
//!
//! **Invariant.** None: values come and go by copy. On targets with SSE2, which all of x86-64 have, the operations are
//! its instructions. (The compiler turns loops over four numbers into 60 instructions where these are 14, and makes
//! bits of results only to count them, in 8 to 16 instructions more.)

/// Four numbers.
pub(crate) type Four = [f32; 4];

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use portable::*;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use sse2::*;

/// With the instructions of SSE2.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    use core::arch::x86_64::{
        __m128, __m128i, _MM_HINT_T0, _mm_add_epi32, _mm_add_ps, _mm_castps_si128, _mm_cmple_ps,
        _mm_cmplt_ps, _mm_cvtepi32_ps, _mm_cvttps_epi32, _mm_max_ps, _mm_min_ps, _mm_movemask_ps,
        _mm_mul_ps, _mm_prefetch, _mm_set1_ps, _mm_setzero_ps, _mm_sub_ps, _mm_xor_si128,
    };
    use core::mem::transmute;

    use super::Four;

    #[inline(always)]
    pub(crate) fn distances<const N: usize>(axes: &[Four; N], from: [f32; N]) -> Four {
        // SAFETY: the target has the instructions, and numbers of one form are four of the other.
        unsafe {
            let mut squares = _mm_setzero_ps();
            for (axis, from) in axes.iter().zip(from) {
                let apart = _mm_sub_ps(transmute::<Four, __m128>(*axis), _mm_set1_ps(from));
                squares = _mm_add_ps(squares, _mm_mul_ps(apart, apart));
            }
            transmute::<__m128, Four>(squares)
        }
    }

    #[inline(always)]
    pub(crate) fn at_most(numbers: Four, others: Four) -> u32 {
        // SAFETY: the target has the instructions, and numbers of one form are four of the other.
        unsafe {
            let [numbers, others] = transmute::<[Four; 2], [__m128; 2]>([numbers, others]);
            _mm_movemask_ps(_mm_cmple_ps(numbers, others)) as u32
        }
    }

    #[inline(always)]
    pub(crate) fn least(numbers: Four, others: Four) -> Four {
        // SAFETY: the target has the instructions, and numbers of one form are four of the other.
        unsafe {
            let [numbers, others] = transmute::<[Four; 2], [__m128; 2]>([numbers, others]);
            transmute::<__m128, Four>(_mm_min_ps(numbers, others))
        }
    }

    #[inline(always)]
    pub(crate) fn floors(numbers: Four) -> [i32; 4] {
        const BEYOND: f32 = 2_147_483_648.0; // 2³¹
        // SAFETY: the target has the instructions, and four numbers of 32 bits are a register of them.
        unsafe {
            let numbers = _mm_max_ps(transmute::<Four, __m128>(numbers), _mm_set1_ps(-BEYOND));
            // (What is beyond 32 bits becomes the least number, whose bits are those of the greatest, inverted.)
            let is_beyond = _mm_castps_si128(_mm_cmple_ps(_mm_set1_ps(BEYOND), numbers));
            let towards_zero = _mm_xor_si128(_mm_cvttps_epi32(numbers), is_beyond);
            let is_above = _mm_cmplt_ps(numbers, _mm_cvtepi32_ps(towards_zero));
            transmute::<__m128i, [i32; 4]>(_mm_add_epi32(towards_zero, _mm_castps_si128(is_above)))
        }
    }

    #[inline(always)]
    pub(crate) fn bits(results: [bool; 4]) -> u32 {
        let signs = results.map(|result| if result { u32::MAX } else { 0 });
        // SAFETY: the target has the instruction, and four numbers of 32 bits are
        // a register of them.
        unsafe { _mm_movemask_ps(transmute::<[u32; 4], __m128>(signs)) as u32 }
    }

    #[inline(always)]
    pub(crate) fn fetch<T>(soon_read: &T) {
        // SAFETY: the target has the instruction, which changes nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(soon_read).cast()) };
    }
}

/// For any target. (Tests compare both.)
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod portable {
    use super::Four;

    /// The squares of the distances of four points, given by axis, from another.
    #[inline(always)]
    pub(crate) fn distances<const N: usize>(axes: &[Four; N], from: [f32; N]) -> Four {
        let mut squares = [0.0; 4];
        for (axis, from) in axes.iter().zip(from) {
            for (square, coordinate) in squares.iter_mut().zip(axis) {
                *square += (coordinate - from) * (coordinate - from);
            }
        }
        squares
    }

    /// Returns a bit for each of four numbers, set if it is at most as large as the other. The bit of a NaN is clear.
    #[inline(always)]
    pub(crate) fn at_most(numbers: Four, others: Four) -> u32 {
        (0..4).fold(0, |bits, at| bits | u32::from(numbers[at] <= others[at]) << at)
    }

    /// The lesser of each two numbers, or the second of them if the first is not a number.
    #[inline(always)]
    pub(crate) fn least(numbers: Four, others: Four) -> Four {
        core::array::from_fn(|at| f32::min(numbers[at], others[at]))
    }

    /// The greatest whole numbers that are no greater than four others, or else the least or the greatest of 32 bits.
    /// (`floor` needs the standard library.)
    #[inline(always)]
    pub(crate) fn floors(numbers: Four) -> [i32; 4] {
        numbers.map(|number| {
            let towards_zero = number as i32;
            towards_zero.saturating_sub(i32::from(towards_zero as f32 > number))
        })
    }

    /// One bit for each result, the first one lowest.
    #[inline(always)]
    pub(crate) fn bits(results: [bool; 4]) -> u32 {
        (0..4).fold(0, |bits, at| bits | u32::from(results[at]) << at)
    }

    /// Has the processor fetch what is read soon, and go on meanwhile; where it cannot be told, does nothing.
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    #[inline(always)]
    pub(crate) fn fetch<T>(_: &T) {}
}

#[cfg(test)]
mod tests {
    use super::{at_most, bits, distances, floors, least, portable};

    #[test]
    fn squares_of_distances_are_sums_over_the_axes() {
        let axes = [[1.0, 2.0, 3.0, -4.0], [0.5, 0.0, 1.0, 2.0], [9.0, 9.0, 8.0, 6.0]];
        let expected = [0.25, 2.0, 5.0, 35.0];
        assert_eq!(distances(&axes, [1.0, 1.0, 9.0]), expected);
        assert_eq!(portable::distances(&axes, [1.0, 1.0, 9.0]), expected);
    }

    #[test]
    fn a_bit_for_each_number_that_is_no_more_than_its_other() {
        let (one, other) = ([1.0, 2.0, f32::NAN, -4.0], [1.0, 1.5, 9.0, f32::INFINITY]);
        assert_eq!([at_most(one, other), portable::at_most(one, other)], [0b1001; 2]);
        assert_eq!([at_most(other, one), portable::at_most(other, one)], [0b0011; 2]);
    }

    #[test]
    fn the_lesser_of_two_is_the_second_if_the_first_is_no_number() {
        let (one, other) = ([1.0, 2.0, f32::NAN, -4.0], [3.0, 1.5, 9.0, f32::INFINITY]);
        let expected = [1.0, 1.5, 9.0, -4.0];
        assert_eq!([least(one, other), portable::least(one, other)], [expected; 2]);
    }

    #[test]
    fn floors_are_the_last_numbers_where_there_are_no_others() {
        let (min, max) = (i32::MIN as f32, i32::MAX as f32);
        let cases = [
            ([0.0, -0.0, 0.5, -0.5], [0, 0, 0, -1]),
            ([-1.0, -1.5, 7.9, 8_388_607.5], [-1, -2, 7, 8_388_607]),
            ([min, min * 2.0, f32::MIN, f32::NEG_INFINITY], [i32::MIN; 4]),
            ([max, max * 2.0, f32::MAX, f32::INFINITY], [i32::MAX; 4]),
            ([max - 128.0, min + 128.0, 1e-40, -1e-40], [i32::MAX - 127, i32::MIN + 128, 0, -1]),
        ];
        for (numbers, expected) in cases {
            assert_eq!([floors(numbers), portable::floors(numbers)], [expected; 2], "{numbers:?}");
        }
    }

    #[test]
    fn one_bit_for_each_result_that_is_true() {
        for expected in 0..16 {
            let results = core::array::from_fn(|at| expected & 1 << at != 0);
            assert_eq!([bits(results), portable::bits(results)], [expected; 2]);
        }
    }
}

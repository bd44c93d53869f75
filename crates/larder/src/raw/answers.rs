//! Four answers as bits: what a search in a node of a tree counts with.
//!
//! **Invariant.** None: answers come by copy. Where the target has SSE2, as all of x86-64 do, they become bits by one
//! instruction. (By itself the compiler finds it only to count the bits, which takes eight to sixteen
//! instructions more.)

/// A bit for each answer that is yes, the first one lowest.
#[inline(always)]
pub(crate) fn bits(answers: [bool; 4]) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{__m128, _mm_movemask_ps};

        let signs = answers.map(|answer| if answer { u32::MAX } else { 0 });
        // SAFETY: the target has the instruction, and four numbers of 32 bits are a register of them.
        unsafe { _mm_movemask_ps(core::mem::transmute::<[u32; 4], __m128>(signs)) as u32 }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    portable::bits(answers)
}

/// The same for any target. (Tests compare both.)
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod portable {
    #[inline(always)]
    pub(super) fn bits(answers: [bool; 4]) -> u32 {
        (0..4).fold(0, |bits, at| bits | u32::from(answers[at]) << at)
    }
}

#[cfg(test)]
mod tests {
    use super::{bits, portable};

    #[test]
    fn a_bit_for_each_that_is_yes() {
        for expected in 0..16 {
            let answers = core::array::from_fn(|at| expected & 1 << at != 0);
            assert_eq!([bits(answers), portable::bits(answers)], [expected; 2]);
        }
    }
}

//! Words of bits of another owner.

use super::Words;

#[test]
fn bits_past_the_slots_mean_nothing() {
    let bits = [!0, !0, 0b1011];
    for slots in [0, 1, 63, 64, 65, 128, 130, 131] {
        let words = Words::new(&bits, None, slots);
        assert_eq!(words.count(), slots.div_ceil(64));
        for slot in 0..260 {
            let set = slot < 128 || [128, 129, 131].contains(&slot);
            // SAFETY: the words live.
            assert_eq!(unsafe { words.has(slot) }, set && slot < slots, "{slot} of {slots}");
        }
        // SAFETY: as above, and there are so many words.
        let ones = (0..words.count()).map(|word| unsafe { words.word(word) }.count_ones());
        let all = [slots.min(128), usize::from(slots > 128), usize::from(slots > 129)];
        assert_eq!(ones.sum::<u32>() as usize, all.into_iter().sum::<usize>(), "{slots} slots");
    }
}

#[test]
fn without_a_summary_all_words_may_have_slots() {
    let (bits, summary) = ([1, 0], 0b01_u64);
    let words = Words::new(&bits, None, 128);
    let summed = Words::new(&bits, Some(core::ptr::NonNull::from(&summary)), 128);
    // SAFETY: the words live.
    assert_eq!(unsafe { (words.present(0), summed.present(0)) }, (!0, 0b01));
}

//! The first and last numbers of lives, and what lies beyond.

use super::{Counter, Generation, Number, Unversioned};

#[test]
fn a_counter_has_the_bits_that_the_slot_leaves() {
    let last = [Counter::<1>::LAST, Counter::<20>::LAST, Counter::<30>::LAST];
    assert_eq!(last, [0x7FFF_FFFF, 0xFFF, 0b11]);
    assert_eq!(Counter::<0>::LAST, u32::MAX - 2, "so that the free generation after it fits");
}

/// Whether a live slot, or a free one, can have these numbers.
fn can_be<G: Generation + core::fmt::Debug>(live: &[u64], free: &[u64], neither: &[u64]) {
    for &number in live {
        let generation = G::live_from_u64(number).expect("a live one");
        assert_eq!((generation.to_u64(), generation.can_be_live()), (number, true));
    }
    for &number in free {
        assert_eq!(G::free_from_u64(number).map(G::to_u64), Some(number));
    }
    for &number in free.iter().chain(neither).filter(|_| G::VERSIONED) {
        assert_eq!(G::live_from_u64(number), None, "{number}");
    }
    for &number in live.iter().chain(neither).filter(|_| G::VERSIONED) {
        assert_eq!(G::free_from_u64(number), None, "{number}");
    }
}

#[test]
fn numbers_of_live_and_free_slots_are_told_apart() {
    const LAST: u64 = Counter::<0>::LAST as u64;
    can_be::<Counter<0>>(&[1, 3, LAST], &[0, 2, LAST - 1], &[LAST + 1, LAST + 2, 1 << 32 | 1]);
    can_be::<Counter<30>>(&[1, 3], &[0, 2], &[4, 5, 1 << 32]);
    can_be::<Number>(
        &[1, 2, Number::PARKED - 1],
        &[0],
        &[Number::PARKED, Number::PARKED + 1, u64::MAX],
    );
    can_be::<Unversioned>(&[0], &[0], &[]);
    assert!(!Number(0).can_be_live() && !Number(Number::PARKED).can_be_live());
}

#[test]
fn a_parked_number_is_no_keys_and_waits_for_one() {
    for number in [1, 2, Number::PARKED - 1] {
        let parked = Number(number).parked();
        assert_eq!((parked.awaited(), parked.can_be_live()), (Number(number), false));
        assert!(parked.waits_for(Number(number)) && !parked.waits_for(Number(number ^ 8)));
        assert!(!parked.waits_for(parked), "what is parked is no key's");
    }
    assert!(!Number(Number::PARKED).waits_for(Number(Number::PARKED)));
}

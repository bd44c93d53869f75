//! The containers under measurement, each as a [`Store`] of [`Element`]s: larder's, one of them in
//! several kinds of memory, their rivals, and a plain `Vec`.

#[macro_use]
mod store;
mod larders;
mod rivals;

pub(crate) use self::larders::*;
pub(crate) use self::rivals::*;
pub(crate) use self::store::*;

/// Every store does what the workloads rely on.
#[cfg(test)]
mod tests {
    use core::panic::AssertUnwindSafe;

    use super::*;

    fn sum<S: Store<u32>>(store: &S) -> u64 {
        let mut sum = 0;
        store.for_each(|value| sum += u64::from(*value));
        assert_eq!(sum, store.sum_by_for_loop(), "{}", S::NAME);
        sum
    }

    fn keeps_the_contract<S: Store<u32>>() {
        let name = S::NAME;
        let mut store = S::new();
        let keys: Vec<S::Key> = (0..10).map(|number| store.insert(number)).collect();
        assert_eq!((store.len(), sum(&store)), (10, 45), "{name}");
        assert_eq!(store.get(keys[3]), Some(&3), "{name}");
        assert_eq!((store.first(), S::new().first()), (Some(&0), None), "{name}");

        assert_eq!(store.remove(keys[9]), Some(9), "{name}");
        assert_eq!(store.get(keys[9]), None, "{name}");
        assert_eq!(store.remove(keys[9]), None, "{name}");
        let reused = store.insert(100);
        assert_eq!(store.get(reused), Some(&100), "{name}");
        assert_eq!(store.get(keys[9]).is_none(), S::KNOWS_STALE, "{name}");
        assert_eq!(S::KEYS_ARE_POSITIONS, name == "Vec");

        let mut copy = store.copy();
        assert_eq!(copy.get(reused), Some(&100), "{name}");
        assert_eq!(sum(&copy), 36 + 100, "{name}");
        copy.for_each_mut(|value| *value += 1);
        assert_eq!((sum(&store), sum(&copy)), (136, 146), "{name}");

        store.retain(|value| *value % 2 == 0);
        assert_eq!((store.len(), sum(&store)), (6, 2 + 4 + 6 + 8 + 100), "{name}");
        store.insert(1);
        store.extend(2..8);
        assert_eq!((store.len(), sum(&store)), (13, 120 + 1 + 27), "{name}");
        store.clear();
        assert_eq!((store.len(), sum(&store)), (0, 0), "{name}");
        store.insert(7);
        assert_eq!((store.len(), sum(&store)), (1, 7), "{name}");
    }

    #[test]
    fn every_store_keeps_the_contract() {
        keeps_the_contract::<Packed<u32>>();
        keeps_the_contract::<Arena<u32>>();
        keeps_the_contract::<ArenaCapacity<u32>>();
        keeps_the_contract::<ArenaOrdinary<u32>>();
        keeps_the_contract::<ArenaFixed<u32>>();
        keeps_the_contract::<ArenaReserved<u32>>();
        keeps_the_contract::<ArenaHuge<u32>>();
        keeps_the_contract::<ArenaAhead<u32>>();
        keeps_the_contract::<PagedArena<u32>>();
        keeps_the_contract::<InlineArena<u32>>();
        keeps_the_contract::<Pool<u32>>();
        keeps_the_contract::<DenseArena<u32>>();
        keeps_the_contract::<SoaArena<u32>>();
        keeps_the_contract::<DenseSoaArena<u32>>();
        keeps_the_contract::<SlotMap<u32>>();
        keeps_the_contract::<HopSlotMap<u32>>();
        keeps_the_contract::<DenseSlotMap<u32>>();
        keeps_the_contract::<Thunderdome<u32>>();
        keeps_the_contract::<Slab<u32>>();
        keeps_the_contract::<GenerationalArena<u32>>();
        keeps_the_contract::<GenMap<u32>>();
        keeps_the_contract::<StableVec<u32>>();
    }

    #[test]
    fn reserved_memory_is_counted_though_no_allocator_gave_it() {
        let mut store = ArenaReserved::<u32>::begin(1_000);
        store.extend(0..1_000);
        assert!(store.bytes_from_the_system() >= 8_000);
        let mut growing = Arena::<u32>::begin(1_000);
        growing.insert(1);
        assert_eq!(growing.bytes_from_the_system(), 0);
    }

    #[test]
    fn fixed_memory_is_full_when_it_is_full() {
        let mut store = ArenaFixed::<u32>::begin(2);
        store.extend(0..2);
        let one_more = AssertUnwindSafe(|| store.insert(2));
        assert!(std::panic::catch_unwind(one_more).is_err());
    }

    #[test]
    fn an_inline_arena_is_full_when_its_slots_are() {
        let mut store = InlineArena::<u32>::begin(0);
        store.extend(0..InlineArena::<u32>::most() as u32);
        let one_more = AssertUnwindSafe(|| store.insert(2));
        assert!(std::panic::catch_unwind(one_more).is_err());
    }

    #[test]
    fn a_pool_makes_the_new_object_of_the_removed_one() {
        let address = |pool: &Pool<Buffered>, key| pool.get(key).expect("it is live").address();
        let mut pool = Pool::<Buffered>::new();
        let first = pool.spawn(7);
        let before = address(&pool, first);
        assert!(pool.retire(first));
        assert!(!pool.retire(first));
        let second = pool.spawn(8);
        assert_eq!(address(&pool, second), before);
        assert_eq!(pool.get(second).map(Element::number), Some(8));
    }

    #[test]
    fn holes_of_a_pool_hold_what_was_removed() {
        let mut pool = Pool::<Bytes16>::with_capacity(3);
        let keys: Vec<_> = (1..4).map(|number| pool.insert(Bytes16::new(number))).collect();
        assert!(pool.retire(keys[1]));
        let (mut live, mut all) = (Vec::new(), Vec::new());
        pool.for_each(|value| live.push(value.number()));
        pool.for_each_slot(|value| all.push(value.number()));
        assert_eq!((live, all), (vec![1, 3], vec![1, 2, 3]));
    }
}

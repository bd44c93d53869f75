//! Memory that is refused while the bytes of a delta are written.

use std::collections::TryReserveError;

use larder::Arena;
use larder::track::Tracked;
use larder_testing::allocator::refusing_after;

/// Where memory is refused for the numbers between two values, that is an error, too, and the same call does it later.
#[test]
fn where_memory_is_refused_between_values_nothing_is_lost() {
    let text = [7; 100];
    let mut refused = 0;
    for grants in 0..20 {
        let mut here = Tracked::new(Arena::from_iter([[7_u8; 16]; 50]));
        let mut publisher = here.publish(1).unwrap();
        let holes: Vec<_> = here.keys().skip(30).collect();
        holes.iter().for_each(|&key| _ = here.remove(key));
        let mut delta = || {
            here.delta_by(&mut publisher, |_, bytes| {
                bytes.try_reserve(text.len())?;
                bytes.extend_from_slice(&text);
                Ok::<_, TryReserveError>(())
            })
        };
        let (was_refused, answer) = refusing_after(grants, true, &mut delta);
        assert_eq!(was_refused, answer.is_err());
        refused += usize::from(was_refused);
        assert!(answer.or_else(|_| delta()).is_ok_and(|bytes| bytes.len() > 30 * text.len()));
    }
    assert!((4..20).contains(&refused), "{refused}");
}

//! Checkpoints and subscribers of another container, and those that are gone.

use larder::Arena;
use larder::track::{TrackError, Tracked};

#[test]
fn what_is_of_another_container_is_refused() {
    let (mut one, mut other) = (Tracked::new(Arena::new()), Tracked::new(Arena::new()));
    let (key, checkpoint, mut subscriber) = (one.insert(1), other.checkpoint(), other.subscribe());
    one.checkpoint();
    assert_eq!(one.rollback(checkpoint), Err(TrackError::Foreign));
    assert_eq!(one.forget(checkpoint), Err(TrackError::Foreign));
    assert_eq!(one.poll(&mut subscriber).err(), Some(TrackError::Foreign));
    assert_eq!(one.unsubscribe(subscriber), Err(TrackError::Foreign));
    other.insert(2);
    assert_eq!(one[key], 1);
}

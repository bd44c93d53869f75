//! Operations that not every container has, on the container and its model: compacting, and, in arenas of rows,
//! inserting while references are held.

use larder::TryReserveError;

use crate::caught::attempt;
use crate::subject::{Subject, TestKey};
use crate::trial::Trial;
use crate::values::Value;

impl<S: Subject> Trial<S> {
    /// Compacts; where it is asked for, user code panics when it is told of that move.
    pub fn compact(&mut self, panics_at: Option<usize>) {
        let before = self.subject.stats();
        let (mut can, mut moves) = (true, Vec::new());
        let outcome = attempt(|| {
            can = self.subject.compact(|old, new| {
                moves.push((old, new));
                assert!(panics_at != Some(moves.len() - 1), "as it was asked to");
            });
        });
        if !can {
            return;
        }
        assert_eq!(outcome.is_err(), panics_at.is_some_and(|at| at < moves.len()));
        let after = self.subject.stats();
        moves.into_iter().for_each(|(old, new)| self.model.moved(old, new));
        self.model.relinked();
        if outcome.is_err() || self.model.config.fixed().is_some() {
            assert_eq!(after.slots, before.slots);
            assert_eq!(after.capacity + after.retired, before.capacity + before.retired);
        }
        self.model.shrunk(after.slots);
        assert!(outcome.is_err() || self.model.is_compact(), "{:?}", self.model);
    }

    /// Inserts through an inserter, in one of its ways, while everything inserted stays borrowed.
    pub fn insert_in_place(&mut self, count: usize, how: u8) {
        let Some(arena) = self.subject.as_arena() else { return };
        let (model, inserter, mut lent) = (&mut self.model, arena.inserter(), Vec::new());
        for _ in 0..count {
            let ids @ [id, inner_id] = [(); 2].map(|()| model.fresh_id());
            let [value, inner] = ids.map(S::Value::make);
            if inserter.remaining() < 2 {
                let full = inserter.remaining() == 0;
                match inserter.try_insert(value) {
                    Ok((key, value)) => {
                        model.born(key, id);
                        lent.push((id, value));
                    }
                    Err(refused) => assert!(full && refused.value.id() == S::Value::seen(id)),
                }
                continue;
            }
            let (mut told, mut told_inner) = (None, None);
            let outcome = attempt(|| {
                inserter.insert_with_key(|key| {
                    assert!(inserter.get(key).is_none());
                    told = Some(key);
                    if how % 2 == 0 {
                        told_inner = Some(inserter.insert(inner));
                    }
                    assert!(how % 5 > 0, "as it was asked to");
                    value
                })
            });
            let key = told.expect("there is room");
            model.born(key, id);
            if let Some((key, inner)) = told_inner {
                model.born(key, inner_id);
                lent.push((inner_id, inner));
            }
            match outcome {
                Ok((same, value)) => {
                    assert_eq!(same, key);
                    lent.push((id, value));
                }
                Err(_) => model.died(key),
            }
        }
        assert!(lent.iter().all(|(id, value)| value.id() == S::Value::seen(*id)));
    }

    /// Inserts through a shared inserter, on one thread.
    pub fn insert_shared(&mut self, count: usize, leaked: bool) {
        // (An interpreter or a sanitizer would call the leaked values a leak.)
        let leaked = leaked && !(cfg!(any(miri, fuzzing)) && core::mem::needs_drop::<S::Value>());
        let count = count.min(self.model.fresh_room());
        let Some(arena) = self.subject.as_arena() else { return };
        if let Err(refused) = arena.shared_inserter(count).map(drop) {
            assert_eq!(refused, TryReserveError::GenerationsUsedUp);
            self.model.shrunk(self.subject.stats().slots);
            return assert!(S::Key::LIVES < u64::MAX);
        }
        // (One that inserts nothing changes nothing but the free slots at the end.)
        let inserter = arena.shared_inserter(count).expect("there is room");
        let ids = self.model.fresh_ids(count as u32);
        let insert = |id| (inserter.insert(S::Value::make(id)).0, id);
        let inserted: Vec<_> = ids.map(insert).collect();
        if leaked {
            core::mem::forget(inserter);
        } else {
            drop(inserter);
        }
        let published = if leaked { 0 } else { inserted.len() };
        self.model.shrunk(self.subject.stats().slots - published);
        if S::Key::LIVES == u64::MAX {
            assert!(!self.model.ends_in_a_hole(), "begun above free slots: {:?}", self.model);
        }
        for (key, id) in inserted {
            if leaked { self.model.leaked(key) } else { self.model.begun(key, id) }
        }
    }
}

//! Operations that not every container has, on the container and its model: compacting, and, in arenas of rows,
//! inserting while references are held.

use larder::{Arena, TryReserveError};

use crate::caught::attempt;
use crate::erased::Name;
use crate::model::Model;
use crate::subject::TestKey;
use crate::trial::Trial;
use crate::values::Value;

impl Trial {
    /// Compacts; where it is asked for, user code panics when it is told of that move.
    pub fn compact(&mut self, panics_at: Option<usize>) {
        let before = self.subject.stats();
        let (mut can, mut moves) = (true, Vec::new());
        let outcome = attempt(|| {
            can = self.subject.compact(&mut |old, new| {
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

    pub fn insert_in_place(&mut self, count: usize, how: u8) {
        if let Some(rows) = self.subject.as_rows() {
            rows.insert_in_place(&mut self.model, count, how);
        }
    }

    pub fn insert_shared(&mut self, count: usize, leaked: bool) {
        if let Some(rows) = self.subject.as_rows() {
            rows.insert_shared(&mut self.model, count, leaked);
        }
    }
}

/// A container that values are inserted into while they are lent.
pub trait Rows {
    /// Inserts through an inserter, in one of its ways, while everything inserted stays borrowed.
    fn insert_in_place(&mut self, model: &mut Model, count: usize, how: u8);

    /// Inserts through a shared inserter, on one thread.
    fn insert_shared(&mut self, model: &mut Model, count: usize, leaked: bool);
}

impl<T: Value, K: TestKey> Rows for Arena<T, K> {
    fn insert_in_place(&mut self, model: &mut Model, count: usize, how: u8) {
        let (inserter, mut lent) = (self.inserter(), Vec::new());
        for _ in 0..count {
            let ids @ [id, inner_id] = [(); 2].map(|()| model.fresh_id());
            let [value, inner] = ids.map(T::make);
            if inserter.remaining() < 2 {
                let full = inserter.remaining() == 0;
                match inserter.try_insert(value) {
                    Ok((key, value)) => {
                        model.born(Name::of(key), id);
                        lent.push((id, value));
                    }
                    Err(refused) => assert!(full && refused.value.id() == T::seen(id)),
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
            model.born(Name::of(key), id);
            if let Some((key, inner)) = told_inner {
                model.born(Name::of(key), inner_id);
                lent.push((inner_id, inner));
            }
            match outcome {
                Ok((same, value)) => {
                    assert_eq!(same, key);
                    lent.push((id, value));
                }
                Err(_) => model.died(Name::of(key)),
            }
        }
        assert!(lent.iter().all(|(id, value)| value.id() == T::seen(*id)));
    }

    fn insert_shared(&mut self, model: &mut Model, count: usize, leaked: bool) {
        // (An interpreter or a sanitizer would call the leaked values a leak.)
        let leaked = leaked && !(cfg!(any(miri, fuzzing)) && core::mem::needs_drop::<T>());
        let count = count.min(model.fresh_room());
        if let Err(refused) = self.shared_inserter(count).map(drop) {
            assert_eq!(refused, TryReserveError::GenerationsUsedUp);
            model.shrunk(self.stats().slots);
            return assert!(K::LIVES < u64::MAX);
        }
        // (One that inserts nothing changes nothing but the free slots at the end.)
        let inserter = self.shared_inserter(count).expect("there is room");
        let ids = model.fresh_ids(count as u32);
        let insert = |id| (Name::of(inserter.insert(T::make(id)).0), id);
        let inserted: Vec<_> = ids.map(insert).collect();
        if leaked {
            core::mem::forget(inserter);
        } else {
            drop(inserter);
        }
        let published = if leaked { 0 } else { inserted.len() };
        model.shrunk(self.stats().slots - published);
        if K::LIVES == u64::MAX {
            assert!(!model.ends_in_a_hole(), "begun above free slots: {:?}", model);
        }
        for (key, id) in inserted {
            if leaked { model.leaked(key) } else { model.begun(key, id) }
        }
    }
}

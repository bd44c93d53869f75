//! A pool of lists beside a `Vec` of `Vec`s, of values that count themselves.

use std::rc::Rc;

use larder::pools::list_pool::{ListHandle, ListPool};

use crate::bytes::Bytes;

type Value = Rc<u32>;
type Handle = ListHandle<Value>;

struct Trial {
    pool: ListPool<Value>,
    lists: Vec<(Handle, Vec<u32>)>,
    /// Handles of lists that are freed.
    stale: Vec<Handle>,
    /// Every value is a clone of this one or of another that lives as long: what leaks, is seen.
    values: Vec<Value>,
    next: u32,
}

impl Trial {
    fn value(&mut self) -> (Value, u32) {
        let number = self.next % self.values.len() as u32;
        self.next += 1;
        (Rc::clone(&self.values[number as usize]), number)
    }

    fn values(&mut self, count: usize) -> (Vec<Value>, Vec<u32>) {
        (0..count).map(|_| self.value()).unzip()
    }

    /// A length: mostly short, sometimes long.
    fn length(bytes: &mut Bytes<'_>) -> usize {
        match bytes.byte() {
            0..=199 => bytes.below(9),
            200..=249 => bytes.below(70),
            _ => bytes.below(3_000),
        }
    }

    fn step(&mut self, bytes: &mut Bytes<'_>) {
        let which = bytes.below(self.lists.len());
        match bytes.byte() % 32 {
            0..=5 => {
                let (values, numbers) = self.values(Self::length(bytes));
                let list = self.pool.make(values);
                self.lists.push((list, numbers));
            }
            6 => {
                let list = self.pool.iter().next().map(|(list, _)| list);
                if let Some(list) = list {
                    assert!(self.pool.contains(list));
                }
            }
            7..=12 => {
                let (value, number) = self.value();
                let mut empty = (ListHandle::EMPTY, vec![]);
                let entry = self.lists.get_mut(which).unwrap_or(&mut empty);
                self.pool.push(&mut entry.0, value);
                entry.1.push(number);
                if self.lists.is_empty() {
                    self.lists.push(empty);
                }
            }
            _ if self.lists.is_empty() => {}
            13 | 14 => {
                let (values, numbers) = self.values(Self::length(bytes));
                let (list, model) = &mut self.lists[which];
                self.pool.extend(list, values);
                model.extend(numbers);
            }
            15 | 16 => {
                let (list, model) = &mut self.lists[which];
                assert_eq!(self.pool.pop(*list).map(|value| *value), model.pop());
            }
            17 | 18 if !self.lists[which].1.is_empty() => {
                let (list, model) = &mut self.lists[which];
                let index = bytes.below(model.len());
                assert_eq!(*self.pool.remove(*list, index), model.remove(index));
            }
            19 if !self.lists[which].1.is_empty() => {
                let (list, model) = &mut self.lists[which];
                let index = bytes.below(model.len());
                assert_eq!(*self.pool.swap_remove(*list, index), model.swap_remove(index));
            }
            20 => {
                let (value, number) = self.value();
                let (list, model) = &mut self.lists[which];
                let index = bytes.below(model.len() + 1);
                self.pool.insert(list, index, value);
                model.insert(index, number);
            }
            21 => {
                let (values, numbers) = self.values(Self::length(bytes));
                let (list, model) = &mut self.lists[which];
                let start = bytes.below(model.len() + 1);
                let end = start + bytes.below(model.len() - start + 1);
                self.pool.splice(list, start..end, values);
                model.splice(start..end, numbers);
            }
            22 => {
                let (list, model) = &mut self.lists[which];
                let length = bytes.below(model.len() + 2);
                self.pool.truncate(*list, length);
                model.truncate(length);
            }
            23 => {
                self.pool.clear(self.lists[which].0);
                self.lists[which].1.clear();
            }
            24 | 25 => {
                let (list, _) = self.lists.swap_remove(which);
                self.pool.free(list);
                self.stale.push(list);
            }
            26 => {
                let (list, model) = self.lists[which].clone();
                self.lists.push((self.pool.clone_list(list), model));
            }
            27 => {
                let additional = Self::length(bytes);
                self.pool.reserve(&mut self.lists[which].0, additional);
            }
            28 => self.pool.compact(),
            29 if bytes.byte() % 8 == 0 => {
                self.pool.free_all();
                self.stale.extend(self.lists.drain(..).map(|(list, _)| list));
            }
            30 => {
                let bit = bytes.byte();
                self.pool.retain(|list, _| list.to_bits() >> (bit % 12) & 1 == 0);
                let pool = &self.pool;
                let stale = &mut self.stale;
                self.lists.retain(|(list, _)| {
                    let keeps = pool.contains(*list) || *list == ListHandle::EMPTY;
                    if !keeps {
                        assert!(list.to_bits() >> (bit % 12) & 1 == 1);
                        stale.push(*list);
                    }
                    keeps
                });
            }
            _ => {
                // A forged handle is of no list or of one that there is.
                let bits = self.lists[which].0.to_bits() ^ 1 << (bytes.byte() % 64);
                if let Some(forged) = Handle::from_bits(bits) {
                    let known = self.lists.iter().any(|(list, _)| *list == forged);
                    assert!(
                        known || forged == ListHandle::EMPTY || self.pool.get(forged).is_none()
                    );
                }
            }
        }
    }

    fn check(&self) {
        self.pool.validate();
        for (list, model) in &self.lists {
            let values = self.pool.get(*list).expect("the list was not freed");
            assert!(values.iter().map(|value| **value).eq(model.iter().copied()));
        }
        for &list in self.stale.iter().rev().take(20) {
            assert!(list == ListHandle::EMPTY || self.pool.get(list).is_none());
        }
        let held: usize = self.lists.iter().map(|(_, model)| model.len()).sum();
        let counted: usize = self.values.iter().map(|value| Rc::strong_count(value) - 1).sum();
        assert_eq!(counted, held, "values are leaked or dropped twice");
    }
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let values = (0..10).map(Rc::new).collect();
    let mut trial = Trial { pool: ListPool::new(), lists: vec![], stale: vec![], values, next: 0 };
    let mut steps = 0;
    while !bytes.is_empty() && steps < 400 {
        trial.step(&mut bytes);
        steps += 1;
        if steps % 4 == 0 {
            trial.check();
        }
    }
    trial.check();
}

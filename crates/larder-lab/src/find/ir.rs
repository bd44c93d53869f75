//! A small compiler: instructions whose operands are lists of instructions, and the uses of each counted beside them.

use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntityList, PrimaryMap, entity_impl};
use larder::key::BareHandle;
use larder::pools::list_pool::{ListHandle, ListPool};
use larder::{Arena, Handle, Handle32, Key, SecondaryMap};

use crate::study::prelude::*;

pub(crate) fn parts() -> Vec<Part> {
    study::parts("ir", &[1_000, 10_000, 100_000], NEVER_SLOW, |contest| {
        let source = &Source::new(contest.count);
        contest.measure(vec![
            works::<Entities>(source),
            works::<Objects<Handle<()>>>(source),
            works::<Objects<Handle32<()>>>(source),
            works::<Objects<BareHandle<()>>>(source),
        ])
    })
}

/// The program that is compiled: of each instruction its operands, by number, one after the other.
struct Source {
    operands: Vec<u32>,
    /// The ends of the operands of each.
    ends: Vec<usize>,
}

impl Source {
    /// Two operands mostly, of which one may be all: then it is a copy. A call in fifty has up to ten.
    fn new(count: usize) -> Self {
        let (mut random, mut source) = (Random::new(0x12), Self { operands: vec![], ends: vec![] });
        for number in 0..count {
            let operands = match random.below(50) {
                _ if number == 0 => 0,
                0 => random.below(11),
                1..5 => 0,
                5..15 => 1,
                15..45 => 2,
                _ => 3,
            };
            for _ in 0..operands {
                // (Operands are near mostly.)
                let distance = 1 + random.below(number.min(64));
                source.operands.push((number - distance.min(number)) as u32);
            }
            source.ends.push(source.operands.len());
        }
        source
    }

    fn instructions(&self) -> impl Iterator<Item = &[u32]> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.operands[begin..end])
    }
}

/// A program as a compiler keeps it.
trait Program: Default {
    const NAME: &'static str;

    /// Appends an instruction. Those that its operands are were appended before, in the order of their numbers.
    fn append(&mut self, operands: &[u32]);
    /// Replaces operands that are copies by what they copy, once.
    fn forward(&mut self);
    /// Counts the uses of each.
    fn count(&mut self);
    /// Removes instructions that no other uses, from the last one to the first.
    fn sweep(&mut self);
    /// The uses of those that are left, in their order.
    fn digest(&self) -> u64;
}

fn works<P: Program + 'static>(source: &Source) -> Turns<'_> {
    let count = source.ends.len();
    let appended = || {
        let mut program = P::default();
        source.instructions().for_each(|operands| program.append(operands));
        program
    };
    Works::new(P::NAME, (), move |()| appended(), P::digest)
        .on("append", "an instruction, appended to a program with its operands")
        .filling(count, |(), program| append(source, program))
        .on("passes", "an instruction: copies forwarded, uses counted, what is unused removed")
        .changing(count, |(), program| pass(program))
        .on("compile", "an instruction: all of that")
        .filling(count, |(), program| {
            append(source, program);
            pass(program);
        })
        .on("bytes", "bytes an instruction, as an allocator is asked for them")
        .bytes(count)
        .done()
}

#[inline(never)]
fn append<P: Program>(source: &Source, program: &mut P) {
    source.instructions().for_each(|operands| program.append(operands));
}

#[inline(never)]
fn pass<P: Program>(program: &mut P) {
    program.forward();
    program.count();
    program.sweep();
}

fn mixed(digest: u64, uses: u32) -> u64 {
    digest.rotate_left(5) ^ u64::from(uses)
}

/// An instruction of `cranelift-entity`: a number, which nothing checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inst(u32);
entity_impl!(Inst);

/// `cranelift-entity`, whose entities are never removed: the reserved one is the only operand of one that is no more.
#[derive(Default)]
struct Entities {
    instructions: PrimaryMap<Inst, EntityList<Inst>>,
    keys: Vec<Inst>,
    pool: cranelift_entity::ListPool<Inst>,
    uses: cranelift_entity::SecondaryMap<Inst, u32>,
}

impl Program for Entities {
    const NAME: &'static str = "cranelift-entity";

    fn append(&mut self, operands: &[u32]) {
        let operands = operands.iter().map(|&number| self.keys[number as usize]);
        let list = EntityList::from_iter(operands, &mut self.pool);
        self.keys.push(self.instructions.push(list));
    }

    fn forward(&mut self) {
        for &list in self.instructions.values() {
            for at in 0..list.len(&self.pool) {
                let operand = list.as_slice(&self.pool)[at];
                if let [copied] = *self.instructions[operand].as_slice(&self.pool) {
                    let mut list = list;
                    list.as_mut_slice(&mut self.pool)[at] = copied;
                }
            }
        }
    }

    fn count(&mut self) {
        for list in self.instructions.values() {
            for &operand in list.as_slice(&self.pool) {
                self.uses[operand] += 1;
            }
        }
    }

    fn sweep(&mut self) {
        for &key in self.keys.iter().rev() {
            if self.uses[key] == 0 {
                for &operand in self.instructions[key].as_slice(&self.pool) {
                    self.uses[operand] -= 1;
                }
                self.instructions[key].clear(&mut self.pool);
                self.uses[key] = u32::MAX;
            }
        }
    }

    fn digest(&self) -> u64 {
        assert!(self.keys.iter().all(|key| !key.is_reserved_value()));
        let left = self.keys.iter().map(|&key| self.uses[key]).filter(|&uses| uses != u32::MAX);
        left.fold(0, mixed)
    }
}

/// larder: instructions in an `Arena`, which are removed. `Handle`s and `Handle32`s of those are refused; what a
/// `BareHandle` would find is the next in its slot, as with the rival.
#[derive(Default)]
struct Objects<K: Key> {
    instructions: Arena<Instruction<K>, K>,
    keys: Vec<K>,
    pool: ListPool<K>,
    uses: SecondaryMap<K, u32>,
}

struct Instruction<K> {
    operands: ListHandle<K>,
}

impl<K: Key> Program for Objects<K> {
    const NAME: &'static str = match (size_of::<K>(), K::MAX_SLOTS) {
        (4, <Handle32<()> as Key>::MAX_SLOTS) => "Arena, ListPool, Handle32",
        (4, _) => "Arena, ListPool, BareHandle",
        _ => "Arena, ListPool",
    };

    fn append(&mut self, operands: &[u32]) {
        let operands = operands.iter().map(|&number| self.keys[number as usize]);
        let operands = self.pool.make(operands);
        self.keys.push(self.instructions.insert(Instruction { operands }));
    }

    fn forward(&mut self) {
        for &Instruction { operands } in self.instructions.values() {
            for at in 0..self.pool[operands].len() {
                let operand = self.pool[operands][at];
                if let [copied] = self.pool[self.instructions[operand].operands] {
                    self.pool[operands][at] = copied;
                }
            }
        }
    }

    /// Each instruction has a count from the beginning, so that no count has to be asked for its existence.
    fn count(&mut self) {
        self.uses = self.instructions.keys().map(|key| (key, 0)).collect();
        for instruction in self.instructions.values() {
            for &operand in &self.pool[instruction.operands] {
                self.uses[operand] += 1;
            }
        }
    }

    /// Removes unused instructions, but not their counts: nothing is added later, and a key with a generation finds no
    /// count of an earlier one.
    fn sweep(&mut self) {
        for &key in self.keys.iter().rev() {
            if self.uses[key] == 0 {
                let Some(removed) = self.instructions.remove(key) else { continue };
                for &operand in &self.pool[removed.operands] {
                    self.uses[operand] -= 1;
                }
                self.pool.free(removed.operands);
            }
        }
    }

    fn digest(&self) -> u64 {
        let left = self.keys.iter().filter(|&&key| self.instructions.contains_key(key));
        left.map(|&key| self.uses.get(key).copied().unwrap_or(0)).fold(0, mixed)
    }
}

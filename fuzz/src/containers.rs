//! Every container through histories of all operations, against the model that the tests use.

use larder::Key;
use larder_testing::erased::{Name, Type};
use larder_testing::forge::Forged;
use larder_testing::model::State;
use larder_testing::operation::Operation;
use larder_testing::pool_trial::{Kind, Trial as PoolTrial};
use larder_testing::subject::{Config, Memory, Subject, TestKey};
use larder_testing::subjects::*;
use larder_testing::trial::Trial;
use larder_testing::values::{Seen, Value};

use crate::bytes::Bytes;

/// Returns the settings with which a container is made.
pub fn config(bytes: &mut Bytes<'_>) -> Config {
    use larder::Reuse::{Fifo, Lifo, Packed};
    let reuse = [Packed, Lifo, Fifo][bytes.below(3)];
    let memory = [Memory::Heap, Memory::Reserved, Memory::Lent][bytes.below(3)];
    let limit = match bytes.byte() {
        0..128 => None,
        limit => Some(usize::from(limit) - 128),
    };
    Config { reuse, limit, memory }
}

/// Asks about a key of any slot and generation: only a key that was handed out may answer.
fn ask<S: Subject>(trial: &mut Trial, key: S::Key) {
    let model = &trial.model;
    let expected = model.id(Name::of(key)).map(S::Value::seen);
    let subject = trial.subject.as_any_mut().downcast_mut::<S>().expect("it is of that type");
    assert_eq!(subject.contains_key(key), expected.is_some(), "{key:?}");
    assert_eq!(subject.get(key).map(|value| value.id()), expected, "{key:?}");
    assert_eq!(subject.get_mut(key).map(|value| value.id()), expected, "{key:?}");
    assert_eq!(subject.get_disjoint_mut([key]).is_ok(), expected.is_some(), "{key:?}");
    if let Some(neighbour) = subject.next_key(key) {
        assert!(
            neighbour != key && model.id(Name::of(neighbour)).is_some(),
            "{key:?}: {neighbour:?}"
        );
    }
    if expected.is_none() {
        assert!(subject.detach(key).is_none() && subject.remove(key).is_none(), "{key:?}");
    }
    if model.states.get(&Name::of(key)) != Some(&State::Detached) {
        let refused = subject.reattach(key, S::Value::make(7)).expect_err("it is not detached");
        assert_eq!(refused.value.id(), S::Value::seen(7));
        assert!(!subject.release(key), "{key:?}");
    }
}

/// Asks about a key that differs from another in some bits.
fn forge<S: Subject<Key: Forged>>(trial: &mut Trial, bytes: &mut Bytes<'_>) {
    let key = bytes.one_of(&trial.model.issued).map_or(S::Key::DANGLING, Name::key);
    let differs = match bytes.byte() {
        255 => bytes.long().into(),
        254 => u128::from(bytes.long()) << S::Key::SLOT_BITS,
        bit => 1 << (u32::from(bit) % S::Key::BITS),
    };
    let mask = !0 >> (u128::BITS - S::Key::BITS);
    if let Some(forged) = S::Key::of_bits((key.bits() ^ differs) & mask) {
        ask::<S>(trial, forged);
    }
}

fn history<S: Subject<Key: Forged>>(bytes: &mut Bytes<'_>) {
    let mut trial = Trial::new(Type::of::<S>(), config(bytes));
    let ends = bytes.short().to_le_bytes();
    for step in 0..400 {
        if bytes.is_empty() {
            break;
        }
        match bytes.byte() {
            0..32 => forge::<S>(&mut trial, bytes),
            _ => Operation::decode(bytes.long()).run(&mut trial),
        }
        if step % 4 == 0 {
            trial.check();
        }
    }
    trial.check();
    trial.finish(ends[0].into(), ends[1].into());
}

type History = fn(&mut Bytes<'_>);

/// Each container with the keys and values that differ most. (The library's tests run all of
/// `larder_testing::subjects`, which take long to compile.)
const HISTORIES: &[History] = &[
    history::<Arena<u32, Handle<u32>>>,
    history::<Arena<u32, Handle32<u32, 29>>>,
    history::<Arena<u32, BareHandle<u32>>>,
    history::<Arena<u32, OwnSerial>>,
    history::<Arena<String, Handle<String>>>,
    history::<DenseArena<u32, Handle<u32>>>,
    history::<DenseArena<u32, Handle32<u32, 30>>>,
    history::<DenseArena<String, Serial<String>>>,
    history::<InlineArena<u32, 70>>,
    history::<InlineArena<u32, 9, Handle32<u32, 30>>>,
    history::<InlineArena<String, 5, BareHandle<String>>>,
    history::<PagedArena<u32, Handle<u32>>>,
    history::<PagedArena<Unit, Handle32<Unit, 30>>>,
    history::<PagedArena<String, Serial<String>>>,
    history::<SoaArena<Mixed>>,
    history::<SoaArena<u32, Handle32<u32, 30>>>,
    history::<SoaArena<Lanes8, Serial<Lanes8>>>,
    history::<SoaArena<LongInABlock, BareHandle<LongInABlock>>>,
    history::<DenseSoaArena<Mixed>>,
    history::<DenseSoaArena<u32, Handle32<u32, 30>>>,
    history::<DenseSoaArena<Lanes4, Serial<Lanes4>>>,
];

/// A history of one of the containers.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    HISTORIES[bytes.below(HISTORIES.len())](&mut bytes);
}

fn pool_history<V: Value, K: TestKey>(bytes: &mut Bytes<'_>) {
    let config = config(bytes);
    let kind = Kind::ALL[bytes.below(3)];
    let mut trial = PoolTrial::new::<V, K>(config, kind);
    for _ in 0..400 {
        if bytes.is_empty() {
            break;
        }
        trial.step(bytes.long());
    }
    trial.check();
}

/// A history of a `Pool`.
pub fn run_pools(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let histories: [History; 5] = [
        pool_history::<u32, Handle<u32>>,
        pool_history::<u32, Handle32<u32, 30>>,
        pool_history::<String, Handle<String>>,
        pool_history::<u32, Serial<u32>>,
        pool_history::<u32, BareHandle<u32>>,
    ];
    histories[bytes.below(histories.len())](&mut bytes);
}

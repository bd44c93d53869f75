//! Every container through histories of all operations, against the model that the tests use.

use larder::key::{BareHandle, Serial};
use larder::{Handle, Handle32};
use larder_testing::operation::Operation;
use larder_testing::pool_trial::{Kind, Trial as PoolTrial};
use larder_testing::subject::{Config, Memory, Subject, TestKey};
use larder_testing::trial::Trial;
use larder_testing::values::Value;

use crate::bytes::Bytes;

fn config(bytes: &mut Bytes<'_>) -> Config {
    use larder::Reuse::{Fifo, Lifo, Packed};
    let reuse = [Packed, Lifo, Fifo][bytes.below(3)];
    let memory = [Memory::Heap, Memory::Reserved, Memory::Lent][bytes.below(3)];
    let limit = match bytes.byte() {
        0..128 => None,
        limit => Some(usize::from(limit) - 128),
    };
    Config { reuse, limit, memory }
}

fn history<S: Subject>(bytes: &mut Bytes<'_>) {
    let mut trial = Trial::<S>::new(config(bytes));
    let ends = bytes.short().to_le_bytes();
    for step in 0..400 {
        if bytes.is_empty() {
            break;
        }
        Operation::decode(bytes.long()).run(&mut trial);
        if step % 4 == 0 {
            trial.check();
        }
    }
    trial.check();
    trial.finish(ends[0].into(), ends[1].into());
}

type History = fn(&mut Bytes<'_>);

/// The history of each container that the tests run at random.
fn histories() -> Vec<History> {
    use larder_testing::subjects::*;

    let mut histories: Vec<History> = Vec::new();
    macro_rules! test {
        (random $name:ident: $subject:ty) => {
            histories.push(history::<$subject>);
        };
        ($($other:tt)*) => {};
    }
    larder_testing::subjects!(test);
    histories
}

/// A history of one of the containers.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let histories = histories();
    histories[bytes.below(histories.len())](&mut bytes);
}

fn pool_history<V: Value, K: TestKey>(bytes: &mut Bytes<'_>) {
    let config = config(bytes);
    let kind = Kind::ALL[bytes.below(3)];
    let mut trial = PoolTrial::<V, K>::new(config, kind);
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

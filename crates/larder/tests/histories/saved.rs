//! Random histories, saved and loaded at any moment: what is loaded goes on as the saved one does, key by key.

use std::io::Cursor;

use erased_serde::{Deserializer, Serialize as DynSerialize};
use larder::snapshot::{Load, Save, Saver, Snapshot};
use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, PagedArena, Reuse, SoaArena,
    key::{BareHandle, Serial},
};
use larder_testing::erased::{Erased, Type};
use larder_testing::operation::Operation;
use larder_testing::random::random_histories;
use larder_testing::subject::{Config, Subject};
use larder_testing::trial::Trial;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A container that is saved whole.
trait Saved: Subject<Value = u32> + Serialize + DeserializeOwned + Save + Load {}

impl<S: Subject<Value = u32> + Serialize + DeserializeOwned + Save + Load> Saved for S {}

/// Saves and loads a container of one of the types.
type Through = fn(&dyn Erased, usize) -> Box<dyn Erased>;

/// Saves a container in one of three ways, and loads it. (A format meets each type as `dyn`, for which it is compiled once.)
fn through<S: Saved>(container: &dyn Erased, way: usize) -> Box<dyn Erased> {
    let container: &S = container.as_any().downcast_ref().expect("it is of that type");
    let saved: &dyn DynSerialize = container;
    let loaded: S = match way % 3 {
        0 => {
            let bytes = postcard::to_allocvec(saved).unwrap();
            let from = &mut postcard::Deserializer::from_bytes(&bytes);
            erased_serde::deserialize(&mut <dyn Deserializer<'_>>::erase(from)).unwrap()
        }
        1 => {
            let text = serde_json::to_string(saved).unwrap();
            let from = &mut serde_json::Deserializer::from_str(&text);
            erased_serde::deserialize(&mut <dyn Deserializer<'_>>::erase(from)).unwrap()
        }
        _ => {
            let file = snapshot_of(container);
            let loaded = Snapshot::from_reader(Cursor::new(&file[..])).unwrap().load("it").unwrap();
            assert!(snapshot_of(&loaded) == file, "it is saved again as the same bytes");
            loaded
        }
    };
    Box::new(loaded)
}

fn snapshot_of(container: &dyn Save) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    Saver::new().section("it", container).write_to(&mut file).unwrap();
    file.into_inner()
}

/// Goes on with a container and with what was saved of it, in the same way.
fn go_on(through: Through, trial: &Trial, way: usize, next: &[Operation]) {
    let loaded = through(&*trial.subject, way);
    trial.model.check(&*loaded);
    let [saved, loaded] = [trial.subject.copied(), loaded].map(|subject| {
        let mut trial = Trial { subject, model: trial.model.clone() };
        next.iter().for_each(|operation| operation.run(&mut trial));
        // The next keys show what is left of the order.
        (0..20).for_each(|_| trial.insert());
        trial
    });
    assert_eq!(saved.model.issued, loaded.model.issued, "after {next:?}");
    assert_eq!(saved.model.order, loaded.model.order, "after {next:?}");
    loaded.check();
}

/// Runs random histories of those operations that a search is about; one short one where every step is interpreted.
fn search(of: Type, through: Through, compacts: bool) {
    if cfg!(miri) {
        return run(of, through, compacts, 70 << 8, &[5, 40, 55, 99, 3]);
    }
    random_histories(150, &|settings, history| run(of, through, compacts, settings, history));
}

fn run(of: Type, through: Through, compacts: bool, settings: u64, history: &[u64]) {
    // The packed order has the book's own memory of slots, so it comes twice.
    let orders = [Reuse::Packed, Reuse::Lifo, Reuse::Packed, Reuse::Fifo];
    let mut trial = Trial::new(of, Config::new(orders[settings as usize % 4], None));
    // Words that are full, and some of them not quite.
    trial.insert_many((settings >> 8) as usize % 500);
    (0..settings >> 40 & 7).for_each(|at| trial.remove((settings >> (8 * at)) as usize));
    // (Room is not saved, so that shrinking to so much does something else. Nothing panics: WebAssembly runs these, too.)
    let is_tried = |operation: &Operation| match operation {
        Operation::Compact { panics_at } => compacts && panics_at.is_none(),
        Operation::ShrinkTo(_) | Operation::InsertInPlace { .. } => false,
        _ => true,
    };
    let operations = history.iter().map(|&bits| Operation::decode(bits)).filter(is_tried);
    let operations: Vec<_> = operations.collect();
    for (at, operation) in operations.iter().enumerate() {
        operation.run(&mut trial);
        if at % 4 == 0 {
            let end = operations.len().min(at + 13);
            go_on(through, &trial, at / 4, &operations[at + 1..end]);
        }
    }
}

macro_rules! histories {
    ($($name:ident: $subject:ty, $compacts:expr;)*) => {$(
        #[test]
        fn $name() {
            let of = Type::of::<$subject>();
            $compacts.into_iter().for_each(|compacts| search(of, through::<$subject>, compacts));
        }
    )*};
}

histories! {
    arena_handle: Arena<u32, Handle<u32>>, [false, true];
    arena_two_bits: Arena<u32, Handle32<u32, 30>>, [false, true];
    arena_slot: Arena<u32, BareHandle<u32>>, [false, true];
    arena_serial: Arena<u32, Serial<u32>>, [false, true];
    paged_handle: PagedArena<u32, Handle<u32>>, [false, true];
    dense_handle: DenseArena<u32, Handle<u32>>, [false];
    dense_two_bits: DenseArena<u32, Handle32<u32, 30>>, [false];
    dense_slot: DenseArena<u32, BareHandle<u32>>, [false];
    columns_two_bits: SoaArena<u32, Handle32<u32, 30>>, [false, true];
    packed_columns_handle: DenseSoaArena<u32, Handle<u32>>, [false];
}

//! A live arena as a table for SQL: columns that share its memory.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, make_array};
use arrow::datatypes::{Field, Schema};
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use larder::{Soa, SoaArena};
use larder_arrow::{Exported, export};

/// A flying body.
#[derive(Soa)]
pub struct Body {
    /// The team that it belongs to.
    pub team: u32,
    /// The mass in kilograms.
    pub mass: u64,
}

/// The query about `bodies`. Holes are rows of nulls.
pub const QUERY: &str = "SELECT team, count(*) AS count, sum(mass) AS mass FROM bodies \
    WHERE team IS NOT NULL GROUP BY team ORDER BY team";

/// Bodies of four teams, with holes where every fifth was removed.
#[must_use]
pub fn bodies(count: u32) -> SoaArena<Body> {
    let body = |n| Body { team: n % 4, mass: u64::from(n) };
    let mut bodies: SoaArena<Body> = (0..count).map(body).collect();
    bodies.retain(|_, body| *body.mass % 5 != 0);
    bodies
}

/// The table: no value is copied, and the arena stays as it is until the last column is dropped.
#[must_use]
pub fn table(bodies: &Arc<SoaArena<Body>>) -> RecordBatch {
    let columns = [
        export(bodies, "team", |bodies| bodies.columns().team),
        export(bodies, "mass", |bodies| bodies.columns().mass),
    ];
    let (fields, columns): (Vec<_>, Vec<_>) = columns.into_iter().map(import).unzip();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    batch.expect("columns of one arena are equally long")
}

fn import(mut exported: Exported) -> (Field, ArrayRef) {
    // SAFETY: both are structs of the C Data Interface; they are moved out, and what
    // is left is released.
    let (schema, array) = unsafe {
        let schema = FFI_ArrowSchema::from_raw(exported.schema.as_mut_ptr().cast());
        (schema, FFI_ArrowArray::from_raw(exported.array.as_mut_ptr().cast()))
    };
    // SAFETY: what was exported follows the interface, and the schema is the array's.
    let data = unsafe { from_ffi(array, &schema) }.expect("a column of primitives");
    (Field::try_from(&schema).expect("a column of primitives"), make_array(data))
}

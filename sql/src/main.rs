//! SQL over the columns of a live arena, by DataFusion: asked, changed, and asked again.

use std::sync::Arc;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{Int64Type, UInt32Type, UInt64Type};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use larder::SoaArena;
use larder_sql::{Body, QUERY, bodies, table};

#[tokio::main]
async fn main() -> Result<()> {
    let mut arena = Arc::new(bodies(100_000));
    ask(&arena).await?;
    // The query let go of the columns: the arena is changed in place, and asked again.
    let bodies = Arc::get_mut(&mut arena).expect("no column is held");
    bodies.retain(|_, body| *body.mass % 3 == 0);
    bodies.insert(Body { team: 9, mass: 7 });
    ask(&arena).await
}

async fn ask(arena: &Arc<SoaArena<Body>>) -> Result<()> {
    let table = table(arena);
    let masses = table.column(1).as_primitive::<UInt64Type>().values();
    assert_eq!(masses.as_ptr(), arena.columns().mass.as_ptr(), "the arena's own memory");
    let context = SessionContext::new();
    context.register_batch("bodies", table)?;
    let answer = context.sql(QUERY).await?.collect().await?;
    println!("{}", pretty_format_batches(&answer)?);
    for batch in &answer {
        for row in 0..batch.num_rows() {
            let team = batch.column(0).as_primitive::<UInt32Type>().value(row);
            let count = batch.column(1).as_primitive::<Int64Type>().value(row);
            let mass = batch.column(2).as_primitive::<UInt64Type>().value(row);
            let members = || arena.values().filter(|body| *body.team == team);
            assert_eq!(count as usize, members().count());
            assert_eq!(mass, members().map(|body| body.mass).sum::<u64>());
        }
    }
    let counted =
        answer.iter().flat_map(|batch| batch.column(1).as_primitive::<Int64Type>().values());
    assert_eq!(counted.sum::<i64>() as usize, arena.len(), "each body is in one team");
    Ok(())
}

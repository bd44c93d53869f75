//! The query of `larder-sql` by Ballista: a scheduler and two executors, each a process of its own.

use std::net::TcpListener;
use std::{env, fs, sync::Arc};

use ballista::prelude::SessionConfigExt;
use ballista_core::{config::BallistaConfig, execution_plans::execute_physical_plan};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::physical_plan::{collect, common::collect as received};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::{datasource::MemTable, physical_plan::ExecutionPlan};
use datafusion_proto::protobuf::PhysicalPlanNode;
use larder_sql::{QUERY, bodies, table};

mod processes;
use processes::{Process, serve, work_dir};

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> Done {
    let ports = env::args().skip(1).map(|port| port.parse()).collect::<Result<Vec<u16>, _>>()?;
    if ports.is_empty() { ask().await } else { serve(&ports).await }
}

async fn ask() -> Done {
    let free = [0; 5].map(|_| TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr()));
    let [scheduler, a, b, c, d] = free.map(|port| port.map_or(0, |port| port.port()));
    // (Ports are given out again: what an earlier run has left there is no work of this one.)
    [a, c].iter().for_each(|&port| drop(fs::remove_dir_all(work_dir(port))));
    let _scheduler = Process::start(&[scheduler])?;
    let _executors = [Process::start(&[scheduler, a, b])?, Process::start(&[scheduler, c, d])?];

    let table = table(&Arc::new(bodies(100_000)));
    // Half of the rows for each: they travel with the plan.
    let half = table.num_rows() / 2;
    let halves = vec![vec![table.slice(0, half)], vec![table.slice(half, table.num_rows() - half)]];
    let config = SessionConfig::new_with_ballista().with_target_partitions(2);
    let context = SessionContext::new_with_config(config.clone());
    context.register_table("bodies", Arc::new(MemTable::try_new(table.schema(), halves)?))?;
    let plan = context.sql(QUERY).await?.create_physical_plan().await?;
    let here = collect(plan.clone(), context.task_ctx()).await?;
    let here = pretty_format_batches(&here)?.to_string();
    // Until both had a task: one may have been quick enough for all of them.
    let idle = |&port: &u16| fs::read_dir(work_dir(port)).map_or(0, Iterator::count) == 0;
    while [a, c].iter().any(idle) {
        let there = far(scheduler, &config, plan.clone()).await?;
        assert_eq!(here, there, "two executors find what this process finds");
    }
    println!("{here}");
    Ok([a, c].iter().try_for_each(|&port| fs::remove_dir_all(work_dir(port)))?)
}

async fn far(port: u16, config: &SessionConfig, plan: Arc<dyn ExecutionPlan>) -> Done<String> {
    let (url, settings) = (format!("http://127.0.0.1:{port}"), BallistaConfig::default());
    let (codec, of) = (config.ballista_physical_extension_codec(), config.clone());
    let submit = execute_physical_plan::<PhysicalPlanNode>;
    let stream = submit(url, &settings, plan, codec.as_ref(), "larder".into(), of).await?;
    Ok(pretty_format_batches(&received(stream).await?)?.to_string())
}

//! The processes of a cluster: this program again, with its ports as arguments.

use std::net::TcpStream;
use std::process::{Child, Command};
use std::{env, sync::Arc, thread::sleep, time::Duration};

use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::{config::SchedulerConfig, scheduler_process::start_server};

use crate::Done;

/// A scheduler has one port; an executor the scheduler's and two of its own.
pub async fn serve(ports: &[u16]) -> Done {
    match *ports {
        [port] => {
            let config = SchedulerConfig::default().with_port(port);
            let cluster = BallistaCluster::new_from_config(&config).await?;
            start_server(cluster, ([127, 0, 0, 1], port).into(), Arc::new(config)).await?;
        }
        [scheduler_port, port, grpc_port] => {
            let (work_dir, vcores) = (Some(work_dir(port)), 1);
            let own = ExecutorProcessConfig { port, grpc_port, work_dir, ..Default::default() };
            let config = ExecutorProcessConfig { scheduler_port, vcores, ..own };
            start_executor_process(Arc::new(config)).await?;
        }
        _ => return Err("a scheduler has one port, an executor three".into()),
    }
    Ok(())
}

pub fn work_dir(port: u16) -> String {
    env::temp_dir().join(format!("larder-executor-{port}")).display().to_string()
}

/// Listens, until it is dropped.
pub struct Process(Child);

impl Process {
    pub fn start(ports: &[u16]) -> Done<Self> {
        let mut command = Command::new(env::current_exe()?);
        let mut this = Self(command.args(ports.iter().map(u16::to_string)).spawn()?);
        let own = if let [_, own, _] = ports { own } else { &ports[0] };
        while TcpStream::connect(("127.0.0.1", *own)).is_err() {
            if let Some(status) = this.0.try_wait()? {
                return Err(format!("ended with {status}").into());
            }
            sleep(Duration::from_millis(50));
        }
        Ok(this)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop((self.0.kill(), self.0.wait()));
    }
}

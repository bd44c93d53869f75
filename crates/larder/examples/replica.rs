//! Two processes kept alike by deltas over a loopback socket; one is killed, started again, and catches up.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::io::{Read, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use larder::track::{Publisher, Replica, Tracked};

type Ships = larder::Arena<[u32; 2]>;
type Follower = (Child, TcpStream, Publisher);

/// The other process: applies what comes, and answers with the sum of all that it has.
fn follow(port: &str) -> Result<()> {
    let mut socket = TcpStream::connect(format!("127.0.0.1:{port}"))?;
    let (mut ships, mut length) = (Replica::new(Ships::new()), [0; 4]);
    loop {
        socket.read_exact(&mut length)?;
        let mut delta = vec![0; u32::from_le_bytes(length) as usize];
        socket.read_exact(&mut delta)?;
        ships.apply(&delta).expect("deltas come once and in order");
        socket.write_all(&sum(&ships).to_le_bytes())?;
    }
}

fn sum(ships: &Ships) -> u64 {
    ships.iter().map(|(key, [x, y])| key.to_bits() % 0xFFFF_FFFB * u64::from(x ^ y)).sum()
}

fn start(ships: &mut Tracked<Ships>) -> Result<Follower> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let (this, port) = (std::env::current_exe()?, listener.local_addr()?.port());
    let child = Command::new(this).arg(port.to_string()).spawn()?;
    Ok((child, listener.accept()?.0, ships.publish(1).expect("there is memory")))
}

/// Sends what changed since the last time, and says whether both are alike then.
fn send((_, socket, publisher): &mut Follower, ships: &mut Tracked<Ships>) -> Result<bool> {
    let (delta, mut answer) = (ships.delta(publisher).expect("there is memory"), [0; 8]);
    socket.write_all(&[&(delta.len() as u32).to_le_bytes(), &delta[..]].concat())?;
    socket.read_exact(&mut answer)?;
    Ok(u64::from_le_bytes(answer) == sum(ships))
}

fn main() -> Result<()> {
    std::env::args().nth(1).map_or(Ok(()), |port| follow(&port))?; // the other process stays here
    let mut ships: Tracked<Ships> = Tracked::new((0..10_000).map(|x| [x, 1]).collect());
    let (mut follower, mut alike) = (start(&mut ships)?, 0);
    for frame in 0..100 {
        if frame == 50 {
            follower.0.kill()?;
            follower = start(&mut ships)?; // a stream of its own: the first delta has all
        }
        ships.retain(|ships, key| ships[key] != [frame * 7, 1]);
        ships.insert([frame, 2]);
        alike += u32::from(send(&mut follower, &mut ships)?);
    }
    println!("alike after each of {alike} frames, the copy killed once");
    follower.0.kill()
}

//! Something to look at in a debugger: `CARGO_PROFILE_DEV_DEBUG=true cargo build -p larder-hot`, then
//! `gdb target/debug/debugger` and `break debugger::look`.
#![expect(clippy::print_stdout, reason = "it shows that it runs")]

use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, PagedArena, Pool, Soa,
    SoaArena,
    key::{BareHandle, Serial},
};

#[derive(Soa)]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Soa)]
#[soa(lanes = 8)]
struct Body {
    #[soa(align = 32)]
    id: u8,
    #[soa(nested)]
    place: Place,
}

/// A container of each kind, and a key of each.
#[expect(dead_code, reason = "who looks is the debugger")]
struct Sight {
    arena: Arena<u32>,
    dense: DenseArena<i64>,
    handle: Handle<u32>,
    small: Arena<u16, Handle32<u16>>,
    smaller: DenseArena<u16, Handle32<u16, 9>>,
    serials: Arena<u8, Serial<u8>>,
    slots: Arena<u32, BareHandle<u32>>,
    small_key: Handle32<u16>,
    smaller_key: Handle32<u16, 9>,
    serial: Serial<u8>,
    slot: BareHandle<u32>,
    paged: PagedArena<u32>,
    doubling: PagedArena<u32, BareHandle<u32>>,
    inline: InlineArena<u16, 9>,
    pool: Pool<i32>,
    columns: SoaArena<(u8, f32)>,
    packed: DenseSoaArena<Place, BareHandle<Place>>,
    lanes: SoaArena<Body>,
}

#[inline(never)]
fn look(sight: &Sight) -> usize {
    sight.arena.len() + sight.dense.len() + sight.handle.slot() as usize
}

fn main() {
    let mut arena = Arena::new();
    let keys: Vec<_> = arena.insert_many([1001, 1002, 1003]).collect();
    arena.remove(keys[1]);
    let handle = arena.insert(1004);
    arena.remove(keys[0]);
    let mut dense = DenseArena::new();
    let first = dense.insert(-7);
    dense.insert(-8);
    dense.remove(first);

    let (mut small, mut smaller) = (Arena::with_key(), DenseArena::with_key());
    let (mut serials, mut slots) = (Arena::with_key(), Arena::with_key());
    let gone = (small.insert(1), smaller.insert(1), serials.insert(1), slots.insert(1));
    small.insert(2001);
    smaller.insert(2002);
    serials.insert(203);
    slots.insert(2004);
    small.remove(gone.0);
    smaller.remove(gone.1);
    serials.remove(gone.2);
    slots.remove(gone.3);
    let (small_key, smaller_key) = (small.insert(3001), smaller.insert(3002));
    let (serial, slot) = (serials.insert(33), slots.insert(3004));

    let mut paged = PagedArena::builder().block_bytes(16).build(); // two slots in each
    let paged_keys: Vec<_> = paged.insert_many(4001..4006).collect();
    paged.remove(paged_keys[1]);
    let mut doubling = PagedArena::builder_with_key().doubling().build();
    doubling.extend(5000..5050);
    doubling.retain(|_, number| *number > 5047);
    let mut inline = InlineArena::from_iter([61, 62, 63]);
    inline.retain(|_, number| *number != 62);
    let mut pool = Pool::new(|| 0);
    let pooled = pool.insert(-71);
    pool.insert(-72);
    pool.recycle(pooled);
    let mut columns = SoaArena::from_iter([(81, 0.5), (82, 1.5), (83, 2.5)]);
    columns.retain(|_, (id, _)| *id != 82);
    let mut packed = DenseSoaArena::with_key();
    packed.extend([9.0, 9.5].map(|x| Place { x, y: -x }));
    let lanes = (0..10).map(|id| Body { id, place: Place { x: f32::from(id), y: 0.25 } });
    let mut lanes: SoaArena<_> = lanes.collect();
    lanes.retain(|_, body| *body.id > 6);
    let sight = Sight {
        arena,
        dense,
        handle,
        small,
        smaller,
        serials,
        slots,
        small_key,
        smaller_key,
        serial,
        slot,
        paged,
        doubling,
        inline,
        pool,
        columns,
        packed,
        lanes,
    };
    println!("{}", look(&sight));
}

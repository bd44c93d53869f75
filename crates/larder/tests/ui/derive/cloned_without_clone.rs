//! A struct that cannot be cloned field by field is not cloned.

use larder::Soa;

struct Ticket(u32);

#[derive(Soa)]
#[soa(no_fill)]
struct Visitor {
    age: u8,
    ticket: Ticket,
}

fn twice(visitor: VisitorRef<'_>) -> Visitor {
    println!("{visitor:?}");
    visitor.cloned()
}

fn main() {}

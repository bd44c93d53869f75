//! A table lends links in its objects, and nothing else of them: an index would not notice.

use larder::indices::UniqueIndex;
use larder::trees::LinkStoreMut;
use larder::{Arena, track::Table};

fn main() {
    let by_bytes = UniqueIndex::by(|bytes: &Vec<u8>| bytes.clone());
    let mut table = Table::with(Arena::new(), by_bytes);
    let key = table.insert(vec![1]);
    LinkStoreMut::<Vec<u8>>::links_mut(&mut table, key).unwrap().push(2);
}

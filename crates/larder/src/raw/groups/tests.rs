//! What a check of groups finds.

use super::Groups;
use crate::hashing::table::Entries;

#[test]
#[should_panic(expected = "a group has no keys")]
fn groups_without_keys_are_found() {
    let mut groups = Groups::<char, u32>::NEW;
    for (hash, property) in [(1, 'a'), (2, 'b')] {
        assert!(groups.add(hash, property, 7).is_ok());
    }
    groups.validate();
    if let Some(group) = groups.table.iter_mut().next() {
        group.swap_remove(0);
    }
    groups.validate();
}

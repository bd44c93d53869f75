//! The growth of the table of texts.

use hashbrown::{HashTable, TryReserveError};

/// Returns an empty table to move all entries to, if there is no room for more. If half of the table was deleted
/// entries, it stays as large, and there is none.
pub(crate) fn larger<T>(
    table: &HashTable<T>,
    additional: usize,
) -> Result<Option<HashTable<T>>, TryReserveError> {
    let (len, full) = (table.len(), table.num_buckets() / 8 * 7);
    let requested = len.saturating_add(additional);
    if additional <= table.capacity() - len || requested <= full / 2 {
        return Ok(None);
    }
    let mut larger = HashTable::new();
    larger.try_reserve(requested.max(full + 1), |_| unreachable!("empty"))?;
    Ok(Some(larger))
}

#[cfg(test)]
mod tests {
    use core::mem;

    use super::*;

    /// Marks of deleted entries are used again, as in hashbrown's own tables.
    #[test]
    fn a_table_that_is_filled_and_emptied_stays_as_large() {
        let mut table = HashTable::new();
        let hash =
            |&number: &u32| u64::from(number).wrapping_mul(0xF304_DA79_576C_855B).rotate_left(32);
        for number in 0..if cfg!(miri) { 900 } else { 20_000 } {
            match larger(&table, 1).expect("there is memory") {
                Some(mut larger) => {
                    for entry in mem::take(&mut table) {
                        larger
                            .insert_unique(hash(&entry), entry, |_| unreachable!("there is room"));
                    }
                    table = larger;
                }
                None => table.try_reserve(1, hash).expect("there is memory"),
            }
            table.insert_unique(hash(&number), number, |_| unreachable!("room was made"));
            if let Some(oldest) = number.checked_sub(200) {
                let gone = table.find_entry(hash(&oldest), |&entry| entry == oldest);
                gone.expect("it is there").remove();
            }
        }
        assert_eq!(table.num_buckets(), 512);
    }
}

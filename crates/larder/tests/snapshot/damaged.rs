//! A file with a section of every kind, cut anywhere, and with any bit flipped: what is wrong is named, and only what
//! lies between arrays is nothing.

use std::io::Cursor;

use larder::snapshot::{Snapshot, SnapshotErrorKind as Kind};
use larder_testing::common::is_thorough;

use super::every_kind::{World, load_one, sections_of, table_of};

fn open(file: &[u8]) -> Result<Snapshot<Cursor<&[u8]>>, Kind> {
    Snapshot::from_reader(Cursor::new(file)).map_err(|error| {
        assert_eq!(error.section, "", "it is of the whole file");
        error.reason
    })
}

#[test]
fn a_cut_file_says_how_much_is_there() {
    let file = World::made().saved();
    assert!(World::loaded(&mut open(&file).unwrap()).is_ok());
    for length in 0..file.len() {
        let error = open(&file[..length]).unwrap_err();
        let expected = match length {
            0..8 => matches!(error, Kind::NotASnapshot),
            8..64 => {
                matches!(error, Kind::Truncated { bytes: 64, found } if found == length as u64)
            }
            _ => matches!(error, Kind::Truncated { bytes, found }
                if bytes == file.len() as u64 && found == length as u64),
        };
        assert!(expected, "cut at {length} of {}: {error}", file.len());
    }
}

/// Returns whether the error is that of a header that has one bit flipped.
fn is_named(at: usize, error: &Kind) -> bool {
    match (at, error) {
        (0..8, Kind::NotASnapshot) => true,
        (8..10, Kind::Version { found }) => *found != 1,
        (10..64, Kind::Damaged { what }) => *what == "the header",
        _ => false,
    }
}

/// The bits of a byte that are flipped: one of them, another in the next byte, or all if tests are to be thorough.
fn bits(at: usize) -> impl Iterator<Item = usize> {
    (0..8).filter(move |bit| is_thorough() || *bit == at % 8)
}

#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn any_flipped_bit_of_header_and_table_is_named() {
    let mut file = World::made().saved();
    let table = table_of(&file);
    assert_eq!(table.end, file.len());
    for at in (0..64).chain(table.clone()) {
        for bit in bits(at) {
            file[at] ^= 1 << bit;
            let error = open(&file).unwrap_err();
            let is_of_table = matches!(error, Kind::Damaged { what: "the table of sections" });
            let named = if at < 64 { is_named(at, &error) } else { is_of_table };
            assert!(named, "bit {bit} of byte {at}: {error}");
            file[at] ^= 1 << bit;
        }
    }
}

/// A bit of an array fails its section alone; and where it is found before the checksum can be, as what it makes of it.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn any_flipped_bit_of_an_array_is_named() {
    let mut file = World::made().saved();
    let (mut sums, mut others) = (0, 0);
    for section in sections_of(&file) {
        for array in &section.arrays {
            for at in array.begin..array.end {
                for bit in bits(at) {
                    file[at] ^= 1 << bit;
                    let mut snapshot = open(&file).unwrap();
                    let verified = snapshot.verify().unwrap_err();
                    let is_that = |name: &str| *name == array.name;
                    assert!(verified.section == section.name, "{verified}");
                    assert!(matches!(&verified.reason, Kind::Checksum { name } if is_that(name)));
                    let error = load_one(&mut snapshot, &section.name).unwrap_err();
                    assert_eq!(error.section, section.name);
                    match &error.reason {
                        Kind::Checksum { name } if is_that(name) => sums += 1,
                        Kind::Invalid { .. } | Kind::Entry { .. } => others += 1,
                        _ => panic!("bit {bit} of byte {at} of `{}`: {error}", array.name),
                    }
                    file[at] ^= 1 << bit;
                }
            }
        }
    }
    assert!(sums > 375 && others < sums / 2, "{sums} checksums, {others} contradictions");
    assert!(World::loaded(&mut open(&file).unwrap()).is_ok(), "it is as it was");
}

/// The gaps between arrays are zeros that are not read: all bits of them may be flipped, and no others.
#[test]
fn nothing_but_the_gaps_between_arrays_is_unread() {
    let whole = World::made();
    let mut file = whole.saved();
    let sections = sections_of(&file);
    let mut places: Vec<_> =
        sections.iter().flat_map(|it| &it.arrays).map(|it| (it.begin, it.end)).collect();
    places.sort_unstable();
    places.push((table_of(&file).start, file.len()));
    let (mut at, mut gaps) = (64, 0);
    for (begin, end) in places {
        assert!(begin >= at && begin - at < 64, "arrays begin at the next multiple of 64");
        assert!(file[at..begin].iter().all(|&byte| byte == 0), "gaps are zeros");
        file[at..begin].fill(0xFF);
        gaps += begin - at;
        at = end;
    }
    assert_eq!(at, file.len(), "the header, arrays, gaps and the table are all that there is");
    assert!(gaps > 100, "{gaps}");
    let mut snapshot = open(&file).unwrap();
    snapshot.verify().unwrap();
    assert_eq!(World::loaded(&mut snapshot).map(|it| it.seen()).unwrap(), whole.seen());
}

//! The format is the one that `docs/snapshot-format.md` describes, and stays it: a file of version 1 is kept beside
//! this test. `BLESS=1 cargo test -p larder --test snapshot` writes it anew, which only a new version of the format
//! can want.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::PathBuf;

use larder::Arena;
use larder::snapshot::{Snapshot, Value};
use larder::track::Tracked;
use larder::trees::IntrusiveList;
use larder_testing::common::{library_files, workspace_text};

use super::every_kind::{Id, Section, World, later, later_list, sections_of};

/// Returns the part of the page about kinds of sections.
fn page() -> String {
    let page = workspace_text("docs/snapshot-format.md");
    let (_, kinds) = page.split_once("\n## Kinds of sections\n").unwrap();
    kinds.split_once("\n## ").unwrap().0.to_owned()
}

/// The kinds of sections that the sources know: those of `KIND` constants, and of what macros make such constants of.
fn kinds() -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for (_, text) in library_files() {
        let is_macros = text.contains("const KIND: &'static str = $kind;");
        for line in text.lines() {
            let constant = line.trim_start().strip_prefix("const KIND: &'static str = ");
            // (A line of a macro's rows: a kind, and the type.)
            let row = line.strip_prefix("    ").filter(|row| is_macros && row.starts_with('"'));
            let text = constant.or(row).and_then(|line| line.strip_prefix('"')?.split_once('"'));
            kinds.extend(text.map(|(kind, _)| kind.to_owned()));
        }
    }
    kinds
}

/// A section of every kind.
fn sections() -> Vec<Section> {
    let spent = Tracked::new(Arena::<u32>::new()).spent_keys().unwrap();
    let files = [World::made().saved(), later(), super::saved(&Value(7_u32)), super::saved(&spent)];
    files.iter().flat_map(|file| sections_of(file)).collect()
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn the_page_and_the_file_have_every_kind_of_section() {
    let (page, kinds) = (page(), kinds());
    assert!(kinds.len() >= 16 && kinds.contains("rows") && kinds.contains("texts"), "{kinds:?}");
    let missing: Vec<_> =
        kinds.iter().filter(|kind| !page.contains(&format!("`{kind}`"))).collect();
    assert!(missing.is_empty(), "not in docs/snapshot-format.md: {missing:?}");
    let there: BTreeSet<String> = sections().into_iter().map(|it| it.kind).collect();
    assert_eq!(there, kinds, "left: in the files of every kind, right: in the sources");
}

/// But for columns, which have the names of fields.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn the_page_names_every_number_and_every_array() {
    let page = page();
    for section in sections() {
        let numbers = section.numbers.iter().map(|(name, _)| name);
        let fields = section.kind.ends_with("columns");
        let arrays = section.arrays.iter().map(|array| &array.name);
        let arrays = arrays.filter(|name| !fields || name.parse::<u8>().is_err());
        for name in numbers.chain(arrays) {
            assert!(page.contains(&format!("`{name}`")), "`{name}` of `{}`", section.kind);
        }
    }
}

/// A file that was written when this was the version.
#[test]
#[cfg(all(target_endian = "little", target_pointer_width = "64"))]
#[cfg_attr(miri, ignore = "reads files")]
fn a_kept_file_is_loaded_and_written_as_it_is() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshot/version-1.snapshot");
    let mut made = World::made();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, made.saved()).unwrap();
    }
    let file = std::fs::read(&path).unwrap();
    let mut snapshot = Snapshot::from_reader(Cursor::new(&file[..])).unwrap();
    snapshot.verify().unwrap();
    assert_eq!(snapshot.tag(), 3);
    let loaded = World::loaded(&mut snapshot).unwrap();
    assert_eq!(loaded.seen(), made.seen());
    // The page's numbers of versions and orders of bytes.
    assert_eq!(file[..16], *b"larder\x1a\n\x01\0\x01\0\0\0\0\0");
    assert_eq!(loaded.rows.values().collect::<Vec<_>>(), [&10, &13, &15]);
    assert_eq!(
        loaded.texts.find("Zaunkönig").and_then(|it| loaded.texts.get(it)),
        Some("Zaunkönig")
    );

    assert!(loaded.saved() == file, "what is loaded is saved as the same bytes");
    // (Pools of lists and texts have numbers of their own in each run of a program.)
    (made.lists, made.texts) = (loaded.lists, loaded.texts);
    assert!(made.saved() == file, "what is made anew is saved as the same bytes");
}

/// A file of the kinds that came after that one.
#[test]
#[cfg(all(target_endian = "little", target_pointer_width = "64"))]
#[cfg_attr(miri, ignore = "reads files")]
fn a_kept_file_of_later_kinds_is_loaded_and_written_as_it_is() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshot/later-1.snapshot");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, later()).unwrap();
    }
    let file = std::fs::read(&path).unwrap();
    let list: IntrusiveList<Id> = super::load(&file).unwrap();
    assert_eq!(list, later_list());
    assert!(super::saved(&list) == file && later() == file);
}

/// The kept file has another order of bytes than this machine.
#[test]
#[cfg(target_endian = "big")]
fn a_kept_file_of_the_other_byte_order_is_refused() {
    use larder::snapshot::SnapshotErrorKind;

    let file = include_bytes!("version-1.snapshot");
    assert_eq!(file[10], 1, "it is little-endian");
    let error = Snapshot::from_reader(Cursor::new(&file[..])).unwrap_err();
    assert!(matches!(error.reason, SnapshotErrorKind::ByteOrder), "{error}");
}

/// Handles of lists and symbols of texts are what the page makes of the numbers of a section.
#[test]
#[cfg(target_endian = "little")]
fn handles_of_lists_and_names_are_the_documented_ones() {
    let world = World::made();
    let file = world.saved();
    let sections = sections_of(&file);
    let section = |name: &str| sections.iter().find(|it| it.name == name).unwrap();
    let number = |of: &str, name| section(of).numbers.iter().find(|it| it.0 == name).unwrap().1;
    let lives = |name: &str| {
        let array = section(name).arrays.iter().find(|it| it.name == "lives").unwrap();
        let lives = file[array.begin..array.end].chunks_exact(4);
        let lives = lives.map(|life| u64::from(u32::from_le_bytes(life.try_into().unwrap())));
        lives.zip(0_u64..).filter(|(life, _)| life % 2 == 1).collect::<Vec<_>>()
    };
    let handles = |of: Vec<(u64, u64)>, of_one: &dyn Fn(u64, u64) -> u64| {
        of.into_iter().map(|(life, slot)| of_one(life, slot)).collect::<Vec<_>>()
    };
    let brand = number("lists", "brand");
    let expected = handles(lives("lists"), &|life, slot| life << 44 | brand << 28 | slot);
    let lists: Vec<u64> = world.lists.iter().map(|(list, _)| list.to_bits()).collect();
    assert!(lists.len() == 2 && lists == expected, "{lists:x?} {expected:x?}");
    let numbering = number("texts", "numbering");
    let symbol = |life: u64, slot: u64| (life << 24 | slot).wrapping_sub(numbering) & 0xFFFF_FFFF;
    let expected = handles(lives("texts"), &symbol);
    let texts: Vec<u64> = world.texts.iter().map(|(text, _)| text.to_bits().into()).collect();
    assert!(texts.len() == 3 && texts == expected, "{texts:x?} {expected:x?}");
}

//! Rows B2 to B68, as far as they are about rows of bulk data, weak references and deletion: the
//! post on bulk data (records/sources.md has the rows, and what the later ones wait for).

use std::collections::{BTreeSet, HashSet};

use larder::{
    Arena, DenseArena, Handle, Handle32, Reuse,
    key::{BareHandle, Serial},
};

use larder_testing::common::{REUSE_ORDERS, files_below, scaled, workspace_text};

#[test]
fn b16_the_book_of_free_slots_costs_no_bytes() {
    // Full, empty, or anything between: the same bytes, and no more than the slots and a bit each
    // (and summaries); in another order a link of 4 bytes each, whether they are free or not.
    let count = scaled(64 * 1_000, 64 * 20);
    for reuse in REUSE_ORDERS {
        let mut arena: Arena<u64> = Arena::builder().capacity(count).reuse(reuse).build();
        let links = if reuse == Reuse::Packed { 0 } else { size_of::<u32>() };
        let slot = size_of::<(u64, u32)>() + links;
        let handles: Vec<_> = (0..count).map(|value| arena.insert(value as u64)).collect();
        let full = arena.stats().memory.committed;
        if !cfg!(miri) {
            let least = count as f64 * slot as f64;
            let room = least..=least + count as f64 * 0.17;
            assert!(room.contains(&(full as f64)), "{reuse:?}: {full} bytes");
        }
        for handle in handles.into_iter().step_by(2) {
            arena.remove(handle);
            assert_eq!(arena.stats().memory.committed, full);
        }
    }
}

/// Every walk yields these values and no other.
fn walks_over(arena: &Arena<usize>, kept: &BTreeSet<usize>) {
    assert!(arena.values().eq(kept));
    assert!(arena.values().rev().eq(kept.iter().rev()));
    let mut walked = Vec::new();
    arena.iter().for_each(|(_, &value)| walked.push(value));
    assert!(walked.iter().eq(kept));
    let by_key = core::iter::successors(arena.keys().next(), |&key| arena.next_key(key));
    assert!(by_key.map(|key| arena[key]).eq(kept.iter().copied()));
}

#[test]
fn b23_a_walk_crosses_long_runs_of_holes() {
    // Runs of every length in words, which begin and end anywhere in a word and in a group of 64 words: no word is
    // passed over that has a value.
    let lengths = scaled(130, 12);
    let kept: BTreeSet<_> =
        (0..=lengths).map(|run| run * (run + 1) / 2 * 64 + run * 5 % 64).collect();
    let mut arena: Arena<usize> = (0..=kept.last().copied().unwrap_or(0)).collect();
    arena.retain(|_, value| kept.contains(value));
    walks_over(&arena, &kept);
    // A value in every word, and then in every word but one: alone, and behind a full word.
    let words = scaled(200, 70);
    for empty in (0..words).map(Some).chain([None]) {
        if cfg!(miri) && empty.is_some_and(|word| !(62..66).contains(&word)) {
            continue;
        }
        let has = |value: usize| value % 64 == value / 64 % 64 && Some(value / 64) != empty;
        let or_full = |value: usize| value / 64 % 2 == 0 && Some(value / 64) != empty || has(value);
        for has in [&has as &dyn Fn(usize) -> bool, &or_full] {
            let mut arena: Arena<usize> = (0..words * 64).collect();
            arena.retain(|_, value| has(*value));
            walks_over(&arena, &(0..words * 64).filter(|&value| has(value)).collect());
        }
    }
}

/// The fields of keys, containers and what they are made of; arguments and local names are no
/// fields.
fn fields_below(folder: &str) -> HashSet<String> {
    let mut fields = HashSet::new();
    let shown = |file: &str| {
        ["/raw/", "/memory/", "/key/", "/arena.rs", "/dense.rs", "/inline.rs", "/pool.rs"]
            .iter()
            .any(|part| file.contains(part))
    };
    for (_, text) in files_below(folder, "rs").into_iter().filter(|(file, _)| shown(file)) {
        let mut lines = text.lines();
        while lines.any(|line| line.contains("struct ") && line.ends_with('{')) {
            let body = lines.by_ref().take_while(|line| line.trim() != "}");
            fields.extend(body.filter_map(|line| {
                let line = line.trim().trim_start_matches("pub(crate) ");
                let line = line.trim_start_matches("pub(super) ").trim_start_matches("pub ");
                let (name, _) = line.split_once(": ")?;
                let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                is_name.then(|| name.to_owned())
            }));
        }
    }
    fields
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn b12_debuggers_are_told_fields_that_exist() {
    let lib = workspace_text("crates/larder-core/src/lib.rs");
    assert!(lib.contains("debugger_visualizer(natvis_file"));
    assert!(lib.contains("debugger_visualizer(gdb_script_file"));
    let declared = fields_below("crates/larder-core/src");

    // In Python a field is a name in brackets, in natvis a part of a path between tags.
    let python: String = files_below("crates/larder-core/debug", "py").into_values().collect();
    let mut named: HashSet<_> =
        python.split("[\"").skip(1).filter_map(|rest| Some(rest.split_once("\"]")?.0)).collect();
    let natvis: String = files_below("crates/larder-core/debug", "natvis").into_values().collect();
    let (_, types) = natvis.split_once("<Type ").expect("it shows types");
    let types: String = types
        .split("<!--")
        .filter_map(|part| part.split("-->").last())
        .collect::<Vec<_>>()
        .concat();
    let paths = types
        .split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)))
        .filter(|path| path.contains('.') && path.starts_with(char::is_alphabetic));
    named.extend(paths.flat_map(|path| path.split('.')).filter(|name| !name.is_empty()));
    named.extend(
        types.split("this->").skip(1).filter_map(|rest| {
            rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()
        }),
    );
    named.remove("__0"); // the first field of a tuple structure

    for field in ["store", "words", "keys", "version"] {
        assert!(named.contains(field), "{field} is not looked at: {named:?}");
    }
    for field in named {
        assert!(declared.contains(field), "larder has no field {field}: {declared:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn b12_debuggers_know_every_key_and_container() {
    let python: String = files_below("crates/larder-core/debug", "py").into_values().collect();
    let natvis: String = files_below("crates/larder-core/debug", "natvis").into_values().collect();
    for name in [
        core::any::type_name::<Handle<u8>>(),
        core::any::type_name::<Handle32<u8>>(),
        core::any::type_name::<Serial<u8>>(),
        core::any::type_name::<BareHandle<u8>>(),
        core::any::type_name::<Arena<u8>>(),
        core::any::type_name::<DenseArena<u8>>(),
    ] {
        let (path, _) = name.split_once('<').expect("it is generic");
        assert!(python.contains(&format!("^{path}<")), "gdb does not know {path}");
        assert!(natvis.contains(&format!("\"{path}&lt;")), "natvis does not know {path}");
    }
}

//! Names, saved as texts with what symbols depend on.

use larder::pools::{StringPool, Symbol};
use serde::de::DeserializeSeed;

use super::*;

/// A pool whose slots have had several texts, of which some are counted; and symbols that are stale.
fn used_names() -> (StringPool, Vec<Symbol>) {
    let mut names = StringPool::new();
    for text in ["wren", "", "kite", "\u{e9}\"\\", "\u{1a}symbols 7"] {
        names.intern(text);
    }
    let gone: Vec<_> = ["gone", "lost"].map(|text| names.acquire(text)).into();
    assert!(names.release(gone[0]) && names.release(gone[1]));
    let robin = names.acquire("robin");
    assert_eq!(names.acquire("robin"), robin);
    (names, gone)
}

/// Symbols are valid for the loaded pool, stale ones are stale, and the next are those of the saved pool.
#[test]
fn names_are_saved_with_their_symbols() {
    let (mut names, gone) = used_names();
    let symbols: Vec<_> = names.iter().map(|(symbol, _)| symbol).collect();
    assert_eq!(through_json(&symbols), symbols);
    assert_eq!(through_postcard(&symbols), symbols);
    assert!(from_json::<Symbol>("0").is_err());
    let mut loaded = [through_json(&names), through_postcard(&names)];
    for loaded in &mut loaded {
        loaded.validate();
        assert!(loaded.iter().eq(names.iter()));
        assert!(gone.iter().all(|&symbol| loaded.get(symbol).is_none()));
    }
    for text in ["new", "other", "robin"] {
        let symbol = names.acquire(text);
        loaded.iter_mut().for_each(|loaded| assert_eq!(loaded.acquire(text), symbol));
    }
    let robin = names.find("robin").unwrap();
    for loaded in &mut loaded {
        let last: Vec<_> = (0..3).map(|_| loaded.release(robin)).collect();
        assert_eq!(last, [false, false, true], "references are counted on");
    }
}

/// A list of texts alone, as pools were saved once, and as a program may write it.
#[test]
fn texts_alone_are_interned() {
    let texts: StringPool = from_json(r#"["wren","","kite"]"#).unwrap();
    assert!(texts.iter().map(|(_, text)| text).eq(["wren", "", "kite"]));
    assert!(from_json::<StringPool>("[1]").is_err());
    assert_eq!(from_json::<StringPool>(r#"["a","a"]"#).unwrap().len(), 1);
    assert!(from_json::<StringPool>("[]").unwrap().is_empty());
}

/// What symbols depend on is checked, as in a snapshot.
#[test]
fn forged_symbols_are_refused() {
    let error = |list: &str| {
        let json = format!("[\"\\u001asymbols {list}]");
        from_json::<StringPool>(&json).map(drop).unwrap_err().to_string()
    };
    let right = "[\"\\u001asymbols 0; 1 2; 1;\",\"wren\"]";
    let loaded: StringPool = from_json(right).unwrap();
    loaded.validate();
    assert_eq!(loaded.len(), 1);
    for (list, what) in [
        ("x; 1 2; 1;\",\"wren\"", "the first text is malformed"),
        ("0; 1 2; 1\",\"wren\"", "the first text is malformed"),
        ("0; 1 2; 1;;\",\"wren\"", "the first text is malformed"),
        ("0; 1 2;;\",\"wren\"", "the free slots are not those whose lives are over"),
        ("0; 1 2; 0;\",\"wren\"", "the free slots are not those whose lives are over"),
        ("0; 1 999; 1;\",\"wren\"", "the free slots are not those whose lives are over"),
        ("0; 1 2; 1;\"", "the texts' lengths do not match"),
        ("0; 1 1;;\",\"wren\",\"wren\"", "a text occurs twice"),
        ("0; 1;; 0\",\"wren\"", "a text has no reference"),
        ("16777216; 1;;\",\"wren\"", "no pool has that number"),
    ] {
        let said = error(list);
        assert!(said.contains(what), "{list}: {said}");
    }
}

/// Loads names from a list in JSON by `load`, each on its own: the pool, and their symbols.
fn loaded_names(
    json: &str,
    load: impl Fn(&mut StringPool, &str) -> Result<Symbol, serde_json::Error>,
) -> (StringPool, Vec<Symbol>) {
    let mut names = StringPool::new();
    let texts: Vec<String> = from_json(json).unwrap();
    let symbols = texts.iter().map(|text| {
        let text = to_json(text);
        load(&mut names, &text).unwrap()
    });
    let symbols = symbols.collect();
    names.validate();
    (names, symbols)
}

/// A program that counts references loads its names so, one that keeps them the other way.
#[test]
fn names_are_loaded_counted_or_for_good() {
    const NAMES: &str = r#"["wren","kite","wren"]"#;
    let (mut counted, symbols) = loaded_names(NAMES, |names, text| {
        names.seed_acquired().deserialize(&mut serde_json::Deserializer::from_str(text))
    });
    assert_eq!((counted.len(), symbols[0]), (2, symbols[2]));
    let last: Vec<_> = symbols.iter().map(|&symbol| counted.release(symbol)).collect();
    assert_eq!(last, [false, true, true]);
    assert!(counted.is_empty());

    let (mut kept, symbols) = loaded_names(NAMES, |names, text| {
        names.seed().deserialize(&mut serde_json::Deserializer::from_str(text))
    });
    assert!(symbols.iter().all(|&symbol| !kept.release(symbol) && !kept.release(symbol)));
    assert_eq!((kept.len(), &kept[symbols[1]]), (2, "kite"));
    // A text that was kept once is kept.
    let mut json = serde_json::Deserializer::from_str("\"wren\"");
    let wren = kept.seed_acquired().deserialize(&mut json).unwrap();
    assert!(!kept.release(wren));
    assert_eq!(&kept[wren], "wren");
}

#[test]
fn a_hostile_name_is_an_error_and_leaves_the_pool_as_it_was() {
    let mut names = StringPool::new();
    let wren = names.acquire("wren");
    for hostile in ["7", "null", "[\"wren\"]", "{}", "\"wren", "\"\\ud800\""] {
        for counts in [false, true] {
            let seed = if counts { names.seed_acquired() } else { names.seed() };
            let mut json = serde_json::Deserializer::from_str(hostile);
            assert!(seed.deserialize(&mut json).is_err(), "{hostile}");
        }
    }
    names.validate();
    assert_eq!(names.len(), 1);
    assert!(names.release(wren), "a reference was counted");
}

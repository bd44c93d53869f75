//! Names, saved as texts.

use super::*;

/// Names are saved as texts: loaded, each has a symbol of the new pool.
#[test]
fn names_are_saved_and_loaded_by_text() {
    use larder::pools::StringPool;

    let mut names = StringPool::new();
    for text in ["wren", "", "kite", "\u{e9}\"\\"] {
        names.intern(text);
    }
    let gone = names.acquire("gone");
    names.release(gone);
    for loaded in [through_json(&names), through_postcard(&names)] {
        loaded.validate();
        let texts = |names: &StringPool| names.iter().map(|(_, text)| text.to_owned()).collect();
        let (before, after): (Vec<_>, Vec<_>) = (texts(&names), texts(&loaded));
        assert_eq!(before, after);
        assert!(names.iter().all(|(symbol, _)| loaded.get(symbol).is_none()));
    }
    assert!(serde_json::from_str::<StringPool>("[1]").is_err());
    assert_eq!(serde_json::from_str::<StringPool>(r#"["a","a"]"#).unwrap().len(), 1);
}

/// Loads names from a list in JSON by `load`, each on its own: the pool, and their symbols.
fn loaded_names(
    json: &str,
    load: impl Fn(
        &mut larder::pools::StringPool,
        &str,
    ) -> Result<larder::pools::Symbol, serde_json::Error>,
) -> (larder::pools::StringPool, Vec<larder::pools::Symbol>) {
    let mut names = larder::pools::StringPool::new();
    let texts: Vec<String> = serde_json::from_str(json).unwrap();
    let symbols = texts.iter().map(|text| {
        let text = serde_json::to_string(text).unwrap();
        load(&mut names, &text).unwrap()
    });
    let symbols = symbols.collect();
    names.validate();
    (names, symbols)
}

/// A program that counts references loads its names so, one that keeps them the other way.
#[test]
fn names_are_loaded_counted_or_for_good() {
    use serde::de::DeserializeSeed;

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
    use larder::pools::StringPool;
    use serde::de::DeserializeSeed;

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

//! The machine code of the hottest functions, as it was when somebody last looked at it.
//!
//! `BLESS=1 cargo test -p larder --test codegen` writes the files in `tests/codegen/` anew.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use larder_testing::compiled;

const HOT: [&str; 25] = [
    "arena_get",
    "arena_get_mut",
    "arena_contains_key",
    "arena_get_by_pointer",
    "arena_insert",
    "arena_remove",
    "arena_sum_fold",
    "arena_sum_for",
    "arena_sum_for_small",
    "arena_sum_for_handle32",
    "paged_sum_for",
    "pool_sum_for",
    "paged_get",
    "dense_get",
    "dense_insert",
    "dense_remove",
    "soa_get",
    "soa_insert",
    "soa_remove",
    "soa_add_columns",
    "dense_soa_get",
    "dense_soa_insert",
    "dense_soa_remove",
    "secondary_get",
    "secondary_insert",
];

/// The assembly of the program `hot`, for the default target.
fn assembly() -> String {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let out = temporary.join("hot.s");
    compiled::compile("hot", &[&format!("--emit=asm={}", out.display())], temporary);
    fs::read_to_string(out).expect("the assembly was written")
}

/// The lines of a function.
fn lines<'a>(assembly: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let mut lines = assembly.lines().skip_while(move |line| *line != format!("{name}:"));
    lines.next().unwrap_or_else(|| panic!("{name} was not compiled"));
    lines
        .take_while(|line| !line.starts_with(".Lfunc_end"))
        .map(|line| line.split('#').next().unwrap_or_default().trim())
}

/// The instructions of a function, with labels numbered in their order and names without hashes.
fn function(assembly: &str, name: &str) -> Vec<String> {
    // Two functions of the same code are one.
    let alias = format!("{name} = ");
    let twin = assembly.lines().find_map(|line| line.trim().strip_prefix(&alias));
    if let Some(twin) = twin {
        return vec![format!("same as {twin}")];
    }
    let mut labels = HashMap::new();
    let mut code = Vec::new();
    for line in lines(assembly, name) {
        if line.is_empty() || (line.starts_with('.') && !line.ends_with(':')) {
            continue;
        }
        code.push(rename(line, &mut labels));
    }
    code
}

fn rename(line: &str, labels: &mut HashMap<String, usize>) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._$".contains(c);
    let mut renamed = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_name) {
        let end = rest[start..].find(|c| !is_name(c)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        renamed.push_str(&rest[..start]);
        if word.starts_with(".L") {
            let next = labels.len();
            let number = labels.entry(word.to_owned()).or_insert(next);
            renamed.push_str(&format!("L{number}"));
        } else if let Some(hash) = word.rfind("17h") {
            renamed.push_str(&word[..hash]);
        } else {
            renamed.push_str(word);
        }
        rest = &rest[end..];
    }
    renamed + rest
}

#[test]
fn hot_functions_compile_to_what_was_looked_at() {
    let assembly = assembly();
    let (version, bless) = (compiled::version(), compiled::bless());
    if bless {
        fs::write(compiled::version_file(), &version).expect("the version is written");
    }
    let same_compiler = compiled::same_compiler();
    if !same_compiler {
        compiled::left_out(&compiled::of_another_compiler("the kept machine code"));
    }
    for name in HOT {
        let code = function(&assembly, name).join("\n") + "\n";
        let file = compiled::kept(&format!("codegen/{name}.x86-64.txt"));
        if bless {
            fs::write(&file, &code).expect("the code is written");
        }
        if same_compiler {
            let kept = fs::read_to_string(&file).unwrap_or_default();
            assert_eq!(code, kept, "{name} changed; if that is well, say BLESS=1");
        }
    }
}

/// A lookup takes at most 12 instructions, two of them conditional branches.
#[test]
fn a_lookup_is_short() {
    let code = function(&assembly(), "arena_get");
    let is_instruction = |line: &&String| !line.ends_with(':');
    let instructions = code.iter().filter(is_instruction).count();
    let branches = code.iter().filter(|line| line.starts_with('j') && !line.starts_with("jmp"));
    assert!(instructions <= 12, "{instructions} instructions:\n{}", code.join("\n"));
    assert!(branches.count() <= 2, "{}", code.join("\n"));
}

/// A `for` loop takes five instructions a value where all slots are live, and begins where a line of
/// code does: across two lines it would take twice as long.
#[test]
fn for_loops_are_short_and_aligned() {
    let assembly = assembly();
    let loops = ["arena_sum_for_small", "arena_sum_for_handle32", "paged_sum_for", "pool_sum_for"];
    for name in loops {
        if assembly.contains(&format!("{name} = ")) {
            // Two functions of the same code are one.
            continue;
        }
        let code: Vec<_> = lines(&assembly, name).collect();
        let is_loop = |at: usize| {
            let Some(label) = code[at].strip_suffix(':') else { return false };
            let steps = || code[at..].iter().filter(|line| !line.ends_with(':'));
            let back = steps().position(|line| line.starts_with('j'));
            let aligned = at > 0 && code[at - 1].starts_with(".p2align");
            aligned && back == Some(4) && steps().nth(4).is_some_and(|jump| jump.ends_with(label))
        };
        assert!((0..code.len()).any(is_loop), "{name}:\n{}", code.join("\n"));
    }
}

//! Without the feature `alloc`, what needs an allocator does not compile, and the compiler says why.
#![cfg(not(miri))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The library without any feature but columns, and programs with it: only their types are checked.
struct Compiler(PathBuf);

impl Compiler {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without_alloc");
        std::fs::create_dir_all(&folder).expect("a folder for what is compiled");
        let compiler = Self(folder);
        let core = format!("larder_core={}", compiler.0.join("liblarder_core.rmeta").display());
        let (columns, crates) =
            ("--cfg=feature=\"columns\"", Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let libraries: [(&str, &str, &[&str]); 2] = [
            ("--crate-name=larder_core", "larder-core/src/lib.rs", &[]),
            ("--crate-name=larder", "larder/src/lib.rs", &["--extern", &core]),
        ];
        for (name, file, used) in libraries {
            let file = crates.join(file);
            let file = file.to_str().expect("a path in UTF-8");
            let built = compiler.run(&[&[name, "--crate-type=rlib", columns, file], used].concat());
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        }
        compiler
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let common = ["--edition=2024", "--emit=metadata", "--cap-lints=allow"];
        let mut command = Command::new(rustc);
        command.args(common).arg("--out-dir").arg(&self.0).args(arguments);
        command.output().expect("the compiler runs")
    }

    /// Returns the compiler's messages about a program's `main`; nothing if it compiles.
    fn says(&self, main: &str) -> Option<String> {
        let program = self.0.join("program.rs");
        let text = format!("use larder::*;\n\nfn main() {{\n    {main}\n}}\n");
        std::fs::write(&program, text).expect("the program is written");
        let extern_larder = format!("larder={}", self.0.join("liblarder.rmeta").display());
        let program = program.to_str().expect("a path in UTF-8");
        let folder = format!("-Ldependency={}", self.0.display());
        let output = self.run(&["--extern", &extern_larder, &folder, program]);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        (!output.status.success()).then_some(messages)
    }
}

#[test]
fn what_needs_an_allocator_says_so() {
    let compiler = Compiler::new();
    let works = "
        let block = Box::leak(Box::new([core::mem::MaybeUninit::uninit(); 4096]));
        let mut arena = Arena::in_memory(block).unwrap();
        let key = arena.insert(7_u64);
        let mut inline: InlineArena<u8, 4> = InlineArena::new();
        inline.insert(arena[key] as u8);
        let again = Box::leak(Box::new([core::mem::MaybeUninit::uninit(); 4096]));
        let built = Arena::<u8>::builder().in_memory(again).reuse(Reuse::Fifo).build();
        assert_eq!(built.len() + inline.clone().len(), 1);
    ";
    assert_eq!(compiler.says(works), None);
    for needs in [
        "Arena::<u8>::new();",
        "Arena::<u8>::with_capacity(1);",
        "let arena: Arena<u8, Handle32<u8>> = Arena::with_key();",
        "let arena: DenseArena<u8, Handle32<u8>> = DenseArena::with_capacity_and_key(1);",
        "Arena::<u8>::fixed(1);",
        "SoaArena::<u8>::new();",
        "DenseSoaArena::<u8>::fixed(1);",
        "PagedArena::<u8>::new();",
        "Arena::<u8>::builder().capacity(1).build();",
        "Arena::<u8>::builder().fixed(1).build();",
        "Arena::<u8>::builder().fixed_bytes(1).build();",
        "Arena::<u8>::builder().fixed_within(1).build();",
    ] {
        let said = compiler.says(needs).unwrap_or_else(|| panic!("{needs} compiles"));
        assert!(said.contains("larder was built without its feature `alloc`"), "{needs}: {said}");
        assert!(said.contains("`InlineArena`"), "{needs}: {said}");
    }
    // The compiler itself reports items that are left out whole.
    for needs in ["Pool::<u8>::new(|| 0);", "SecondaryMap::<Handle<u8>, u8>::new();"] {
        let said = compiler.says(needs).unwrap_or_else(|| panic!("{needs} compiles"));
        assert!(said.contains("alloc"), "{needs}: {said}");
    }
    for needs in ["Arena::<u8>::default();", "Arena::<u8>::from_iter([1]);"] {
        assert!(compiler.says(needs).is_some(), "{needs} compiles");
    }
}

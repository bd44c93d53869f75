//! The targets on a stable compiler: the committed inputs, and random ones.

use std::fs;
use std::path::Path;

/// Numbers that look random, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// Returns the number of random inputs for each target: 200, or the number in `LARDER_FUZZ_INPUTS`.
fn inputs() -> u64 {
    let asked = std::env::var("LARDER_FUZZ_INPUTS").ok();
    asked.map_or(200, |asked| asked.parse().expect("a number of inputs"))
}

fn replay(name: &str) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    for file in fs::read_dir(corpus).into_iter().flatten() {
        let path = file.expect("the folder can be read").path();
        println!("{}", path.display());
        larder_fuzz::run(name, &fs::read(path).expect("the file can be read"));
    }
    for seed in 0..inputs() {
        let mut random = Random(seed);
        let length = random.next() as usize % 4_000;
        println!("{name}, random input {seed}");
        larder_fuzz::run(name, &random.bytes(length));
    }
}

macro_rules! replayed {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_replayed() {
            let known: Vec<&str> = larder_fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(known, [$(stringify!($name)),*]);
        }
    };
}

replayed!(containers decoding going_back grid indices lists names pools side snapshots tables track trees user_code);

// The target of this program's name. (It is chosen when it is compiled, so that the others are no
// part of the program: libFuzzer looks at every counter after every input.)

#[cfg(fuzzing)]
const RUN: fn(&[u8]) = {
    let name = env!("CARGO_BIN_NAME").as_bytes();
    let mut at = 0;
    loop {
        let known = larder_fuzz::TARGETS[at].0.as_bytes();
        let mut same = 0;
        while same < name.len() && same < known.len() && name[same] == known[same] {
            same += 1;
        }
        if same == name.len() && same == known.len() {
            break larder_fuzz::TARGETS[at].1;
        }
        at += 1;
    }
};

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| RUN(data));

#[cfg(not(fuzzing))]
fn main() {}

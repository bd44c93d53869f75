#![cfg_attr(fuzzing, no_main)]
include!("../target.rs");

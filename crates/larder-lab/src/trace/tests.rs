use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a Vec takes everything");
    encoder.finish().expect("a Vec takes everything")
}

/// A recording with these bytes after the magic.
fn recording(events: &[u8]) -> Vec<u8> {
    gzip(&[MAGIC.as_slice(), events].concat())
}

fn message(file: &[u8]) -> String {
    read(file).expect_err("this recording is damaged").to_string()
}

#[test]
fn a_good_recording_is_read() {
    // Objects of 24 and 100 bytes (the second takes two bytes to say), the first goes, then the
    // second, then a third comes and stays.
    let file = recording(&[48, 0xc8, 0x01, 3, 1, 0]);
    let trace = read(file.as_slice()).expect("this recording is good");
    assert_eq!(
        trace.events,
        [
            Event::Allocate { bytes: 24 },
            Event::Allocate { bytes: 100 },
            Event::Free { object: 0 },
            Event::Free { object: 1 },
            Event::Allocate { bytes: 0 },
        ]
    );
    assert_eq!((trace.objects, trace.peak_live), (3, 2));
}

#[test]
fn a_recording_may_be_several_gzip_members() {
    let file = [recording(&[48]), gzip(&[1])].concat();
    let trace = read(file.as_slice()).expect("this recording is good");
    assert_eq!(trace.events.len(), 2);
}

#[test]
fn the_bundled_recordings_are_what_their_readme_says() {
    let traces = bundled().expect("the bundled recordings are good");
    let facts: Vec<_> = traces
        .iter()
        .map(|trace| {
            let name = trace.name.as_str();
            (name, trace.events.len(), trace.objects, trace.peak_live)
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("python", 2_000_000, 1_032_813, 154_074),
            ("jq", 341_040, 170_521, 156_108),
            ("sqlite", 608_958, 304_487, 316),
        ]
    );
}

#[test]
fn a_gzip_cut_short_is_an_error_at_every_byte() {
    let file = recording(&[48, 48, 1, 3]);
    for end in 0..file.len() {
        let result = read(&file[..end]);
        assert!(result.is_err(), "cut at {end} of {}", file.len());
    }
}

#[test]
fn a_flipped_bit_is_an_error_or_changes_nothing() {
    let file = recording(&[48, 48, 1, 3]);
    let whole = read(file.as_slice()).expect("this recording is good").events;
    let mut errors = 0;
    for bit in 0..file.len() * 8 {
        let mut flipped = file.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        // Some bits of a gzip header, such as its date, mean nothing here.
        match read(flipped.as_slice()) {
            Ok(trace) => assert_eq!(trace.events, whole, "bit {bit}"),
            Err(_) => errors += 1,
        }
    }
    assert!(errors > file.len() * 4, "{errors} errors");
}

#[test]
fn a_file_that_is_no_gzip_is_an_error() {
    assert!(message(b"LTRACE1\n\x30\x01").contains("is not gzip"));
}

#[test]
fn rubbish_after_the_gzip_is_an_error() {
    let file = [recording(&[48]), b"rubbish".to_vec()].concat();
    assert!(message(&file).contains("is not gzip, or is damaged"));
}

#[test]
fn a_wrong_magic_is_an_error() {
    for contents in [b"LTRACE2\n\x30".as_slice(), b"LTR", b""] {
        assert!(message(&gzip(contents)).contains("does not begin with LTRACE1"));
    }
}

#[test]
fn a_recording_without_events_is_an_error() {
    assert!(message(&recording(&[])).contains("holds no events"));
}

#[test]
fn an_end_within_a_number_is_an_error() {
    assert!(message(&recording(&[48, 0x80])).contains("in the middle of event 1"));
}

#[test]
fn a_number_of_more_than_64_bits_is_an_error() {
    let ten_bytes_too_large = [&[0xff; 9][..], &[0x02]].concat();
    let eleven_bytes = [&[0x80; 10][..], &[0x01]].concat();
    for number in [ten_bytes_too_large, eleven_bytes] {
        assert!(message(&recording(&number)).contains("more than 64 bits at event 0"));
    }
}

#[test]
fn a_size_that_fits_no_u32_is_capped() {
    let largest_even = [&[0xfe][..], &[0xff; 8], &[0x01]].concat();
    let trace = read(recording(&largest_even).as_slice()).expect("this recording is good");
    assert_eq!(trace.events, [Event::Allocate { bytes: u32::MAX }]);
}

#[test]
fn a_free_of_a_dead_object_is_an_error() {
    assert!(message(&recording(&[48, 1, 1])).contains("frees object 0 a second time, at event 2"));
}

#[test]
fn a_free_of_an_object_never_made_is_an_error() {
    let before_any = recording(&[1]);
    let before_the_first = recording(&[48, 3]);
    let far_before = recording(&[&[48][..], &[0xff; 9], &[0x01]].concat());
    for file in [before_any, before_the_first, far_before] {
        assert!(message(&file).contains("never made"));
    }
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let error = from_file(Path::new("no/such/file.ltrace.gz")).expect_err("there is no such file");
    let message = error.to_string();
    assert!(message.contains("no/such/file.ltrace.gz: cannot be read"));
}

#[test]
fn a_file_gives_the_trace_its_name() {
    let file = std::env::temp_dir().join(format!("larder-lab-{}.ltrace.gz", std::process::id()));
    fs::write(&file, recording(&[48, 1])).expect("the temporary directory can be written");
    let trace = from_file(&file);
    fs::remove_file(&file).expect("the file was just written");
    let name = trace.expect("this recording is good").name;
    assert_eq!(name, format!("larder-lab-{}", std::process::id()));
}

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
fn an_error_says_what_is_damaged() {
    let ten_bytes_too_large = [&[0xff; 9][..], &[0x02]].concat();
    let eleven_bytes = [&[0x80; 10][..], &[0x01]].concat();
    let far_before = [&[48][..], &[0xff; 9], &[0x01]].concat();
    for (file, part) in [
        (b"LTRACE1\n\x30\x01".to_vec(), "is not gzip"),
        ([recording(&[48]), b"rubbish".to_vec()].concat(), "is not gzip, or is damaged"),
        (gzip(b"LTRACE2\n\x30"), "does not begin with LTRACE1"),
        (gzip(b"LTR"), "does not begin with LTRACE1"),
        (gzip(b""), "does not begin with LTRACE1"),
        (recording(&[]), "holds no events"),
        (recording(&[48, 0x80]), "in the middle of event 1"),
        (recording(&ten_bytes_too_large), "more than 64 bits at event 0"),
        (recording(&eleven_bytes), "more than 64 bits at event 0"),
        (recording(&[48, 1, 1]), "frees object 0 a second time, at event 2"),
        // Before any is made, before the first, and far before it.
        (recording(&[1]), "never made"),
        (recording(&[48, 3]), "never made"),
        (recording(&far_before), "never made"),
    ] {
        let message = read(file.as_slice()).expect_err(part).to_string();
        assert!(message.contains(part), "{message} does not say: {part}");
    }
}

#[test]
fn a_size_that_fits_no_u32_is_capped() {
    let largest_even = [&[0xfe][..], &[0xff; 8], &[0x01]].concat();
    let trace = read(recording(&largest_even).as_slice()).expect("this recording is good");
    assert_eq!(trace.events, [Event::Allocate { bytes: u32::MAX }]);
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

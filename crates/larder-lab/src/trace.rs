//! Recorded object lifetimes: the files in `data/traces`, whose README there gives their format.
//!
//! The reader trusts nothing: a file that is not a whole recording is a named error.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

/// The first bytes of every recording, inside the gzip.
const MAGIC: &[u8; 8] = b"LTRACE1\n";

/// More objects than this, and a replay would need gigabytes for its own tables.
const MAX_OBJECTS: usize = 1 << 26;

/// One event of the recorded program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The next object is allocated; objects are numbered from 0 in this order.
    Allocate {
        /// Its size, capped at `u32::MAX`.
        bytes: u32,
    },
    /// The object with this number is freed.
    Free {
        /// The object's number.
        object: u32,
    },
}

/// One run of a program: its events in order. Every freed object is live at that point.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// A short name: of the program, or of the file.
    pub(crate) name: String,
    /// What the program did, in one line; may be empty.
    pub(crate) about: String,
    /// All events.
    pub(crate) events: Vec<Event>,
    /// The number of objects allocated.
    pub(crate) objects: usize,
    /// The most objects live at once.
    pub(crate) peak_live: usize,
}

/// The recordings that come with the lab.
pub(crate) fn bundled() -> Result<Vec<Trace>, TraceError> {
    [
        (
            "python",
            "CPython parsing and unparsing 40 modules of its own library",
            include_bytes!("../../../data/traces/python.ltrace.gz").as_slice(),
        ),
        (
            "jq",
            "jq filtering and grouping a 12,000-object JSON document",
            include_bytes!("../../../data/traces/jq.ltrace.gz"),
        ),
        (
            "sqlite",
            "the sqlite3 shell: 4,000 inserts, then 4,500 mixed statements",
            include_bytes!("../../../data/traces/sqlite.ltrace.gz"),
        ),
    ]
    .into_iter()
    .map(|(name, about, file)| {
        let trace = read(file).map_err(|damage| TraceError {
            file: PathBuf::from(format!("{name}.ltrace.gz (bundled)")),
            damage,
        })?;
        Ok(trace.named(name, about))
    })
    .collect()
}

/// The recording in a file.
pub(crate) fn from_file(file: &Path) -> Result<Trace, TraceError> {
    let damaged = |damage| TraceError { file: file.to_owned(), damage };
    let open = fs::File::open(file).map_err(|error| damaged(Damage::Unreadable(error)))?;
    let trace = read(BufReader::new(open)).map_err(damaged)?;
    let file_name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = file_name.split('.').next().unwrap_or_default();
    Ok(trace.named(name, ""))
}

/// Reads a gzipped recording to its end.
fn read(gzipped: impl BufRead) -> Result<Trace, Damage> {
    let mut bytes = BufReader::new(MultiGzDecoder::new(gzipped));
    let mut magic = Vec::new();
    let mut start = bytes.by_ref().take(MAGIC.len() as u64);
    start.read_to_end(&mut magic).map_err(Damage::of_gzip)?;
    if magic != MAGIC {
        return Err(Damage::NotATrace);
    }
    let mut history = History::default();
    while let Some(number) = read_leb128(&mut bytes, history.events.len())? {
        history.push(number)?;
    }
    history.into_trace()
}

/// The next unsigned LEB128 integer, or `None` at the end of the stream.
fn read_leb128(bytes: &mut impl BufRead, event: usize) -> Result<Option<u64>, Damage> {
    let mut number = 0_u64;
    let mut shift = 0;
    loop {
        let Some(byte) = read_byte(bytes)? else {
            return if shift == 0 { Ok(None) } else { Err(Damage::Truncated { event }) };
        };
        let bits = u64::from(byte & 0x7f);
        if shift >= u64::BITS || (bits << shift) >> shift != bits {
            return Err(Damage::OverlongNumber { event });
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(Some(number));
        }
        shift += 7;
    }
}

/// The next byte, or `None` at the end of the stream.
fn read_byte(bytes: &mut impl BufRead) -> Result<Option<u8>, Damage> {
    let byte = bytes.fill_buf().map_err(Damage::of_gzip)?.first().copied();
    if byte.is_some() {
        bytes.consume(1);
    }
    Ok(byte)
}

/// A recording while it is read: its events so far, and which objects are live.
#[derive(Default)]
struct History {
    events: Vec<Event>,
    /// For every object made so far, whether it is live.
    live: Vec<bool>,
    live_now: usize,
    peak_live: usize,
}

impl History {
    /// Interprets the next number of the file.
    fn push(&mut self, number: u64) -> Result<(), Damage> {
        let half = number / 2;
        let event = if number.is_multiple_of(2) { self.allocate(half)? } else { self.free(half)? };
        self.events.push(event);
        Ok(())
    }

    fn allocate(&mut self, bytes: u64) -> Result<Event, Damage> {
        if self.live.len() == MAX_OBJECTS {
            return Err(Damage::TooManyObjects);
        }
        self.live.push(true);
        self.live_now += 1;
        self.peak_live = self.peak_live.max(self.live_now);
        Ok(Event::Allocate { bytes: u32::try_from(bytes).unwrap_or(u32::MAX) })
    }

    fn free(&mut self, back: u64) -> Result<Event, Damage> {
        let event = self.events.len();
        let object = usize::try_from(back)
            .ok()
            .and_then(|back| self.live.len().checked_sub(1)?.checked_sub(back))
            .ok_or(Damage::FreeOfUnknown { event })?;
        if !self.live[object] {
            return Err(Damage::FreeOfDead { event, object });
        }
        self.live[object] = false;
        self.live_now -= 1;
        Ok(Event::Free { object: object as u32 })
    }

    fn into_trace(self) -> Result<Trace, Damage> {
        if self.events.is_empty() {
            return Err(Damage::Empty);
        }
        Ok(Trace {
            name: String::new(),
            about: String::new(),
            events: self.events,
            objects: self.live.len(),
            peak_live: self.peak_live,
        })
    }
}

impl Trace {
    fn named(self, name: &str, about: &str) -> Self {
        Self { name: name.to_owned(), about: about.to_owned(), ..self }
    }
}

/// A recording that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("trace {}: {damage}", file.display())]
pub(crate) struct TraceError {
    file: PathBuf,
    damage: Damage,
}

/// What is wrong with a recording. Events are counted from 0.
#[derive(Debug, thiserror::Error)]
enum Damage {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("is not gzip, or is damaged or cut short: {0}")]
    BadGzip(io::Error),
    #[error("is gzip, but does not begin with LTRACE1 (data/traces/README.md has the format)")]
    NotATrace,
    #[error("holds no events")]
    Empty,
    #[error("ends in the middle of event {event}")]
    Truncated { event: usize },
    #[error("has a number of more than 64 bits at event {event}")]
    OverlongNumber { event: usize },
    #[error("frees an object that was never made, at event {event}")]
    FreeOfUnknown { event: usize },
    #[error("frees object {object} a second time, at event {event}")]
    FreeOfDead { event: usize, object: usize },
    #[error("has more than {} objects", MAX_OBJECTS)]
    TooManyObjects,
}

impl Damage {
    /// The meaning of an error while unpacking: bad gzip, unless the system reports another error.
    fn of_gzip(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput => Self::BadGzip(error),
            _ => Self::Unreadable(error),
        }
    }
}

#[cfg(test)]
mod tests {
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
        let error =
            from_file(Path::new("no/such/file.ltrace.gz")).expect_err("there is no such file");
        let message = error.to_string();
        assert!(message.contains("no/such/file.ltrace.gz: cannot be read"));
    }

    #[test]
    fn a_file_gives_the_trace_its_name() {
        let file =
            std::env::temp_dir().join(format!("larder-lab-{}.ltrace.gz", std::process::id()));
        fs::write(&file, recording(&[48, 1])).expect("the temporary directory can be written");
        let trace = from_file(&file);
        fs::remove_file(&file).expect("the file was just written");
        let name = trace.expect("this recording is good").name;
        assert_eq!(name, format!("larder-lab-{}", std::process::id()));
    }
}

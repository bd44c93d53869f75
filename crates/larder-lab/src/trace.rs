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
    Free { object: u32 },
}

/// One run of a program: its events in order. Every freed object is live at that point.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// A short name: of the program, or of the file.
    pub(crate) name: String,
    /// A line about the program; may be empty.
    pub(crate) about: String,
    pub(crate) events: Vec<Event>,
    pub(crate) objects: usize,
    pub(crate) peak_live: usize,
}

/// The recordings that come with the lab.
const BUNDLED: [(&str, &str, &[u8]); 3] = [
    (
        "python",
        "CPython parsing and unparsing 40 modules of its own library",
        include_bytes!("../../../data/traces/python.ltrace.gz"),
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
];

pub(crate) fn bundled() -> Result<Vec<Trace>, TraceError> {
    let one = |(name, about, file)| {
        let damaged = |damage| TraceError { file: PathBuf::from(name), damage };
        read(file, name, about).map_err(damaged)
    };
    BUNDLED.into_iter().map(one).collect()
}

/// The recording in a file, which gives it its name.
pub(crate) fn from_file(file: &Path) -> Result<Trace, TraceError> {
    let damaged = |damage| TraceError { file: file.to_owned(), damage };
    let open = fs::File::open(file).map_err(|error| damaged(Damage::Unreadable(error)))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    read(BufReader::new(open), name, "").map_err(damaged)
}

/// Reads a gzipped recording to its end.
fn read(gzipped: impl BufRead, name: &str, about: &str) -> Result<Trace, Damage> {
    let mut bytes = BufReader::new(MultiGzDecoder::new(gzipped));
    let mut magic = Vec::new();
    let mut start = bytes.by_ref().take(MAGIC.len() as u64);
    start.read_to_end(&mut magic).map_err(Damage::of_gzip)?;
    if magic != MAGIC {
        return Err(Damage::NotATrace);
    }
    let mut history = History::default();
    let mut bytes = bytes.bytes();
    while let Some(number) = read_leb128(&mut bytes, history.events.len())? {
        let half = number / 2;
        let is_allocation = number.is_multiple_of(2);
        let event = if is_allocation { history.allocate(half)? } else { history.free(half)? };
        history.events.push(event);
    }
    if history.events.is_empty() {
        return Err(Damage::Empty);
    }
    let History { events, live, peak_live, .. } = history;
    let [name, about] = [name, about].map(str::to_owned);
    Ok(Trace { name, about, events, objects: live.len(), peak_live })
}

/// The next unsigned LEB128 integer, or `None` at the end of the stream.
fn read_leb128(
    bytes: &mut impl Iterator<Item = io::Result<u8>>,
    event: usize,
) -> Result<Option<u64>, Damage> {
    let mut number = 0_u64;
    let mut shift = 0;
    while let Some(byte) = bytes.next().transpose().map_err(Damage::of_gzip)? {
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
    if shift == 0 { Ok(None) } else { Err(Damage::Truncated { event }) }
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
}

/// A recording that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("trace {}: {damage}", file.display())]
pub(crate) struct TraceError {
    file: PathBuf,
    damage: Damage,
}

/// A fault of a recording. Events are counted from 0.
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

    fn parsed(file: &[u8]) -> Result<Trace, Damage> {
        read(file, "", "")
    }

    #[test]
    fn a_good_recording_is_read() {
        // Objects of 24 and 100 bytes (the second takes two bytes to say), the first goes,
        // then the second, then a third comes and stays, of a size that fits no `u32`; in
        // several gzip members.
        let largest_even = [&[0xfe][..], &[0xff; 8], &[0x01]].concat();
        let file = [recording(&[48, 0xc8, 0x01, 3, 1]), gzip(&largest_even)].concat();
        let trace = parsed(&file).expect("this recording is good");
        assert_eq!(
            trace.events,
            [
                Event::Allocate { bytes: 24 },
                Event::Allocate { bytes: 100 },
                Event::Free { object: 0 },
                Event::Free { object: 1 },
                Event::Allocate { bytes: u32::MAX },
            ]
        );
        assert_eq!((trace.objects, trace.peak_live), (3, 2));
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
            let result = parsed(&file[..end]);
            assert!(result.is_err(), "cut at {end} of {}", file.len());
        }
    }

    #[test]
    fn a_flipped_bit_is_an_error_or_changes_nothing() {
        let file = recording(&[48, 48, 1, 3]);
        let whole = parsed(&file).expect("this recording is good").events;
        let mut errors = 0;
        for bit in 0..file.len() * 8 {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // Some bits of a gzip header, such as its date, mean nothing here.
            match parsed(&flipped) {
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
            let message = parsed(&file).expect_err(part).to_string();
            assert!(message.contains(part), "{message} does not say: {part}");
        }
    }

    #[test]
    fn a_file_gives_the_trace_its_name_and_a_missing_one_is_named() {
        let file =
            std::env::temp_dir().join(format!("larder-lab-{}.ltrace.gz", std::process::id()));
        fs::write(&file, recording(&[48, 1])).expect("the temporary directory can be written");
        let trace = from_file(&file);
        fs::remove_file(&file).expect("the file was just written");
        let name = trace.expect("this recording is good").name;
        assert_eq!(name, format!("larder-lab-{}", std::process::id()));
        let error = from_file(Path::new("no/file.ltrace.gz")).expect_err("there is no such file");
        assert!(error.to_string().contains("no/file.ltrace.gz: cannot be read"));
    }
}

//! A type whose fields have changed since its columns were saved: they are found by name, or refused by name, however
//! the file is read.

use larder::snapshot::{Map, Save, Saver, Snapshot, SnapshotError};
use larder::{DenseSoaArena, Handle, Soa, SoaArena};

use super::Scratch;

type Key = Handle<()>;

/// So many that columns are mapped.
const COUNT: usize = 70_000;

/// The type that was saved.
#[derive(Soa, Clone, Copy, Default)]
pub(super) struct Part {
    size: u16,
    mass: f32,
    kind: u32,
    #[soa(nested)]
    paint: Paint,
}

#[derive(Soa, Clone, Copy, Default)]
pub(super) struct Paint {
    colour: [u8; 4],
    gloss: u32,
}

pub(super) fn part(number: usize) -> Part {
    let paint = Paint { colour: [number as u8; 4], gloss: number as u32 + 7 };
    Part { size: number as u16, mass: number as f32, kind: number as u32 + 1, paint }
}

/// The same, in groups.
#[derive(Soa, Clone, Copy, Default)]
#[soa(lanes = 8)]
struct Lanes {
    mass: f32,
    kind: u32,
}

#[derive(Soa, Clone, Copy, Default)]
#[soa(lanes = 16)]
struct WiderLanes {
    mass: f32,
    kind: u32,
}

/// Declares types with other fields.
macro_rules! types {
    ($($name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* })*) => {$(
        #[derive(Soa, Clone, Copy, Default)]
        struct $name {
            $($(#[$attribute])* $field: $type,)*
        }
    )*};
}

types! {
    Fewer { #[soa(nested)] paint: Gloss, kind: u32, size: u16 }
    Gloss { gloss: u32 }
    Flat { kind: u32, mass: f32 }
    Added { size: u16, age: u32 }
    Widened { mass: f64 }
    Retyped { mass: u32 }
    WiderColour { #[soa(nested)] paint: Wide }
    Wide { colour: [u8; 8] }
    AddedAlpha { #[soa(nested)] paint: Alpha }
    Alpha { colour: [u8; 4], alpha: u8 }
    RenamedPaint { #[soa(nested)] coat: Paint }
    PlainPaint { paint: [u8; 8] }
}

/// Has a container read in each way.
fn in_each_way<C: Map>(scratch: &Scratch, see: impl Fn(&str, Result<&C, SnapshotError>)) {
    let mut snapshot = Snapshot::open(scratch.file()).unwrap();
    match snapshot.load::<C>("it") {
        Ok(loaded) => see("loaded", Ok(&loaded)),
        Err(error) => see("loaded", Err(error)),
    }
    // SAFETY: the file is this test's alone.
    match unsafe { snapshot.map::<C>("it") } {
        Ok(mapped) => see("mapped", Ok(&mapped)),
        Err(error) => see("mapped", Err(error)),
    }
    // SAFETY: as above.
    match unsafe { snapshot.map_private::<C>("it", 2 * COUNT) } {
        Ok(own) => see("mapped privately", Ok(&own)),
        Err(error) => see("mapped privately", Err(error)),
    }
}

/// The error names the fault, in the same words in each way.
fn refused<C: Map>(scratch: &Scratch, words: &str) {
    in_each_way::<C>(scratch, |way, result| match result {
        Ok(_) => panic!("it is {way}, but {words}"),
        Err(error) => {
            let expected = format!("section `it`: {words}: load it as the type that was saved");
            assert_eq!(error.to_string(), expected, "{way}");
        }
    });
}

macro_rules! are_alike {
    ($scratch:expr, $container:ty) => {
        in_each_way::<$container>($scratch, |way, found| {
            let found = found.unwrap_or_else(|error| panic!("{way}: {error}"));
            for (one, part) in found.values().zip((0..COUNT).map(part)) {
                assert_eq!((*one.mass, *one.kind), (part.mass, part.kind), "{way}");
            }
        })
    };
}

macro_rules! changed_fields {
    ($($name:ident of $container:ident;)*) => {$(
        #[test]
        #[cfg_attr(miri, ignore = "reads files")]
        fn $name() {
            let scratch = Scratch::new(stringify!($name));
            let parts: $container<Part, Key> = (0..COUNT).map(part).collect();
            Saver::new().section("it", &parts).save(scratch.file()).unwrap();

            in_each_way::<$container<Fewer, Key>>(&scratch, |way, found| {
                let fewer = found.unwrap();
                assert_eq!(fewer.len(), COUNT, "{way}");
                for (one, part) in fewer.values().zip((0..COUNT).map(part)) {
                    let fields = (*one.size, *one.kind, *one.paint.gloss);
                    assert_eq!(fields, (part.size, part.kind, part.paint.gloss), "{way}");
                }
            });

            // Columns in groups are saved as one column after the other: groups of any size read it.
            let grouped: $container<Lanes, Key> = (0..COUNT)
                .map(|at| Lanes { mass: part(at).mass, kind: part(at).kind })
                .collect();
            for saved in [&parts as &dyn Save, &grouped] {
                Saver::new().section("it", saved).save(scratch.file()).unwrap();
                are_alike!(&scratch, $container<Lanes, Key>);
                are_alike!(&scratch, $container<WiderLanes, Key>);
                are_alike!(&scratch, $container<Flat, Key>);
            }
        }
    )*};
}

changed_fields! {
    changed_fields_of_columns of SoaArena;
    changed_fields_of_packed_columns of DenseSoaArena;
}

/// (Packed columns are found by the same code.)
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn fields_that_were_not_saved_are_refused() {
    let scratch = Scratch::new("other fields");
    let parts: SoaArena<Part, Key> = (0..COUNT).map(part).collect();
    Saver::new().section("it", &parts).save(scratch.file()).unwrap();
    let of = "of 4 bytes, aligned to 4, not";
    refused::<SoaArena<Added, Key>>(&scratch, "there is no `age`");
    refused::<SoaArena<AddedAlpha, Key>>(&scratch, "there is no `paint.alpha`");
    refused::<SoaArena<RenamedPaint, Key>>(&scratch, "there is no `coat.colour`");
    refused::<SoaArena<PlainPaint, Key>>(&scratch, "there is no `paint`");
    let wide = format!("`mass` is `f32` {of} `f64` of 8 bytes, aligned to {}", align_of::<f64>());
    refused::<SoaArena<Widened, Key>>(&scratch, &wide);
    let other = format!("`mass` is `f32` {of} `u32` of 4 bytes, aligned to 4");
    refused::<SoaArena<Retyped, Key>>(&scratch, &other);
    let of = "of 4 bytes, aligned to 1, not";
    let wide = format!("`paint.colour` is `[u8; 4]` {of} `[u8; 8]` of 8 bytes, aligned to 1");
    refused::<SoaArena<WiderColour, Key>>(&scratch, &wide);
}

/// A field may be called as an array of the container beside it is.
#[test]
fn columns_may_have_the_names_of_other_arrays() {
    macro_rules! named {
        ($($($name:ident: $type:ty),+;)*) => {$({
            #[derive(Soa, Clone, Copy, Debug, PartialEq)]
            struct One {
                $($name: $type,)+
            }

            for count in [0, 1, 4, 64, 100] {
                let one = |number| One { $($name: (count - 1 - number) as $type,)+ };
                let ones = (0..count).map(one);
                let mut slots: SoaArena<One, Key> = SoaArena::with_key();
                slots.extend(ones.clone());
                let mut packed: DenseSoaArena<One, Key> = DenseSoaArena::with_key();
                packed.extend(ones);
                let saved = [super::saved(&slots), super::saved(&packed)];

                let what = stringify!($($name: $type),+);
                let loaded = super::load::<SoaArena<One, Key>>(&saved[0]);
                let loaded = loaded.unwrap_or_else(|error| panic!("{what}, {count}: {error}"));
                let values = |(key, value): (Key, OneRef<'_>)| (key, $(*value.$name),+);
                assert!(loaded.iter().map(values).eq(slots.iter().map(values)), "{what}, {count}");
                let loaded = super::load::<DenseSoaArena<One, Key>>(&saved[1]);
                let loaded = loaded.unwrap_or_else(|error| panic!("{what}, {count}: {error}"));
                assert!(loaded.iter().map(values).eq(packed.iter().map(values)), "{what}, {count}");
            }
        })*};
    }

    named! {
        live: u64, taken: u64, free: u32, order: u32, generations: u32;
        live: u32;
    }
}

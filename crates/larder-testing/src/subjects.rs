//! The containers, keys and elements that histories are run over: one list for all kinds of histories.

pub use crate::fields::{
    Lanes4, Lanes8, Lanes16, Lanes32, Lanes64, LanesOfABlock, LongInABlock, Mixed,
};
pub use crate::own::{Own, OwnSerial, OwnSlot, OwnThreeBits};
pub use crate::values::{Unit, Wide};
pub use larder::{
    Arena, DenseArena, DenseSoaArena, Handle, Handle32, InlineArena, PagedArena, SoaArena,
    key::{BareHandle, Serial},
};

/// Calls the macro of this name for each container and each kind of history that it is run through, as
/// `test!(kind name: type)`. The kinds: `random`; `natively`, which is random but too long to interpret;
/// `short(length)`, all that are so long and shorter, and of one step more if tests are to be thorough; `large`, of
/// more than 10,000 slots.
#[macro_export]
macro_rules! subjects {
    ($test:ident) => { $crate::subjects! { $test:
        arena_handle: Arena<u32, Handle<u32>>, random short(3) large;
        arena_two_bits: Arena<u32, Handle32<u32, 30>>, random short(3) large;
        arena_slot: Arena<u32, BareHandle<u32>>, random short(3) large;
        arena_of_strings: Arena<String, Serial<String>>, random short(3);
        arena_of_units: Arena<Unit, Handle<Unit>>, random;
        arena_of_wide: Arena<Wide, Handle32<Wide, 30>>, random;

        dense_handle: DenseArena<u32, Handle<u32>>, random short(3) large;
        dense_two_bits: DenseArena<u32, Handle32<u32, 30>>, random short(3) large;
        dense_slot: DenseArena<u32, BareHandle<u32>>, random short(3);
        dense_of_strings: DenseArena<String, OwnSerial>, random short(3);
        dense_of_units: DenseArena<Unit, Handle<Unit>>, random;
        dense_of_wide: DenseArena<Wide, Handle32<Wide, 30>>, random;

        inline_none: InlineArena<u32, 0>, random;
        inline_more_than_a_word: InlineArena<u32, 70>, random;
        inline_of_strings: InlineArena<String, 64>, random;
        inline_of_units: InlineArena<Unit, 130>, random;
        inline_of_wide: InlineArena<Wide, 9, Handle32<Wide, 30>>, random;
        inline_two_bits: InlineArena<u32, 3, Handle32<u32, 30>>, random short(3);
        inline_slot: InlineArena<u32, 3, BareHandle<u32>>, random short(3);
        inline_serial: InlineArena<u32, 3, Serial<u32>>, random short(3);

        paged_handle: PagedArena<u32, Handle<u32>>, random short(3) large;
        paged_two_bits: PagedArena<u32, Handle32<u32, 30>>, random short(3);
        paged_of_strings: PagedArena<String, OwnSlot>, random short(3);
        paged_of_nothing: PagedArena<Unit, BareHandle<Unit>>, random;
        paged_of_wide: PagedArena<Wide, Handle32<Wide, 30>>, random;

        columns_handle: SoaArena<Mixed>, random short(3) large;
        one_column_two_bits: SoaArena<u32, Handle32<u32, 30>>, random short(3);
        lanes_of_8: SoaArena<Lanes8, Handle32<Lanes8, 30>>, random;
        lanes_of_64: SoaArena<Lanes64, BareHandle<Lanes64>>, random;
        lanes_of_a_block: SoaArena<LanesOfABlock, Serial<LanesOfABlock>>, natively;
        lanes_two_bits: SoaArena<Lanes4, Handle32<Lanes4, 30>>, random large;
        long_rows_in_a_block: SoaArena<LongInABlock>, random;

        packed_columns_handle: DenseSoaArena<Mixed>, random short(3);
        packed_columns_slot: DenseSoaArena<Mixed, BareHandle<Mixed>>, random large;
        packed_lanes_of_8: DenseSoaArena<Lanes8>, random;
        packed_lanes_of_64: DenseSoaArena<Lanes64, Handle32<Lanes64, 30>>, random;
        packed_lanes_of_a_block: DenseSoaArena<LanesOfABlock, BareHandle<LanesOfABlock>>, natively;
        packed_lanes_two_bits: DenseSoaArena<Lanes4, Handle32<Lanes4, 30>>, short(3);
        packed_long_rows_in_a_block: DenseSoaArena<LongInABlock, Serial<LongInABlock>>, random;
    } };
    ($test:ident: $($name:ident: $subject:ty, $($kind:ident $(($length:literal))?)+;)*) => {
        $($($test!($kind $(($length))? $name: $subject);)+)*
    };
}

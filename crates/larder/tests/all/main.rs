//! Everything that larder promises, as one program: the model and what it drives, then what no
//! model shows, then the demands of the sources row by row.

#![expect(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "tests run where the standard library is"
)]

// The subjects and the model.
mod both;
mod caught;
mod family;
mod fields;
mod model;
mod operation;
mod ordered;
mod subject;
mod touchy;
mod trial;
mod trial_rows;
mod values;

// Memory under watch.
mod allocator;

// The proof.
mod auto_traits;
mod bytes;
mod collection;
mod columns;
mod compact;
mod documented;
mod exhaustion;
mod family_histories;
mod groups;
mod history;
mod inline;
mod inserter;
mod joins;
mod keys;
mod lent;
mod limited;
mod lists;
mod members;
mod misuse;
mod paged;
mod panics;
mod places;
mod pointer;
mod pool_histories;
mod pool_memory;
mod pool_trial;
mod pool_types;
mod pool_user_code;
mod refused_memory;
mod reserved;
mod reuse;
mod rivals;
mod rivals_user_code;
mod saved;
mod side_histories;
mod side_map;
mod side_misuse;
mod strings;
mod temporary;
mod usage;
mod walks;

// The demands of the sources, row by row.
mod rows_a;
mod rows_b;
mod rows_c;
mod rows_columns;
mod rows_common;
mod rows_d;
mod rows_d_bugs;
mod rows_d_pools;
mod rows_e;
mod rows_hierarchy;
mod rows_side;
mod rows_y;
mod sources;

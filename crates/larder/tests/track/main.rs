//! Recording changes: subscribers, and going back.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod beside;
mod cancelled;
mod combinations;
mod costs;
mod cut_short;
mod delta_memory;
mod deltas;
mod derived;
mod dropped;
mod encoded;
mod falling;
mod far;
mod foreign;
mod going_back;
mod groups;
mod holders;
mod indices;
mod lists;
mod lists_cut_short;
mod misuse;
mod names;
mod no_allocation;
mod reversible;
mod side;
mod streams;
mod tables;
mod undone;
mod writing;

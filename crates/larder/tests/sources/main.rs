//! The demands of the sources, row by row, and the pages that answer them.

#![expect(clippy::std_instead_of_alloc, reason = "tests run where the standard library is")]

mod comments;
mod documented;
mod first_pages;
mod imports;
mod ledger;
mod rows_a;
mod rows_b;
mod rows_c;
mod rows_d;
mod rows_d_pools;
mod rows_e;
mod sources;

//! Links between objects: hierarchies, lists and buckets, beside objects and inside them.

mod cursors;
mod extremes;
mod family_histories;
mod forged;
mod in_objects;
mod kinds;
mod links_memory;
mod members;
mod no_allocation;
mod rows_hierarchy;
mod saved;
mod walks;
mod with_links;

//! Structures beside a container go back with it: side data, hierarchies and lists whose links are tracked, indices.

use larder::indices::{IndexBy, MultiIndex, SortedIndex, UniqueIndex};
use larder::track::{Reversible, Tracked};
use larder::trees::{LinkStore, Links};
use larder::{Arena, Handle};
use larder_testing::caught::panicking_after;
use larder_testing::common::scaled;
use larder_testing::nervous::Nervous;

type Id = Handle<u32>;
type InOrder = IndexBy<SortedIndex<Nervous, Id>, fn(&u32) -> Nervous>;
type Unique = IndexBy<UniqueIndex<Nervous, Id>, fn(&u32) -> Nervous>;
type Groups = IndexBy<MultiIndex<Nervous, Id>, fn(&u32) -> Nervous>;

/// Code of a property panics while changes are filed: the same changes can be filed again.
#[test]
fn a_refresh_that_panicked_is_done_by_another() {
    let property: fn(&u32) -> Nervous = |n| Nervous(*n);
    let refreshed = |steps: u32| {
        let mut objects = Tracked::new(Arena::from_iter(0..40_u32));
        let mut subscriber = objects.subscribe();
        let mut indices =
            (SortedIndex::by(property), UniqueIndex::by(property), MultiIndex::by(property));
        indices.0.fill(&*objects).expect("there is memory");
        indices.1.fill(&*objects).expect("all differ");
        indices.2.fill(&*objects).expect("there is memory");
        let keys: Vec<_> = objects.keys().collect();
        for pair in keys[..20].chunks_exact(2) {
            let number = objects.remove(pair[0]).expect("it is there");
            *objects.get_mut(pair[1]).expect("it is there") = number;
        }
        objects.insert(100);
        let changes = objects.poll(&mut subscriber).expect("it is its own");
        let refresh = |(in_order, unique, groups): &mut (InOrder, Unique, Groups)| {
            changes.refresh(in_order, &*objects).expect("there is memory");
            changes.refresh(unique, &*objects).expect("all differ");
            changes.refresh(groups, &*objects).expect("there is memory");
        };
        let panicked = panicking_after(steps, || refresh(&mut indices));
        refresh(&mut indices);
        let (in_order, unique, groups) = indices;
        in_order.validate();
        unique.validate();
        groups.validate();
        assert_eq!([in_order.len(), unique.len(), groups.len()], [objects.len(); 3]);
        for (key, &n) in objects.iter() {
            assert_eq!(in_order.get(&Nervous(n)), [key]);
            assert_eq!((unique.get(&Nervous(n)), groups.get(&Nervous(n))), (Some(key), &[key][..]));
        }
        panicked
    };
    assert!((0..).step_by(scaled(1, 37)).take_while(|&steps| refreshed(steps)).count() > 9);
}

#[test]
fn links_in_tracked_objects_go_back_with_them() {
    let mut things = Tracked::new(Arena::<Links<Id>, Id>::with_key());
    let [a, b, c] = [(); 3].map(|()| things.insert(Links::new()));
    Links::append(&mut things, a, b).expect("both are there");
    let before = things.checkpoint();
    Links::append(&mut things, b, c).expect("both are there");
    assert_eq!(Links::remove_subtree(&mut things, b), 2);
    things.rollback(before).expect("it is held");
    assert!(Links::children(&things, a).eq([b]) && things.links(c) == Some(&Links::new()));
    assert!(things.undo().expect("there is memory"));
}

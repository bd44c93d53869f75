//! Indices that are refreshed from the changes of a container: those that are cut short can be made good.

use larder::indices::{IndexBy, IndexError, MultiIndex, SortedIndex, UniqueIndex};
use larder::track::Tracked;
use larder::{Arena, Handle};
use larder_testing::allocator::refusing_after;
use larder_testing::caught::{each_step, panicking_after};
use larder_testing::nervous::Nervous;

type Id = Handle<u32>;
type By<X> = IndexBy<X, fn(&u32) -> Nervous>;
type Indices =
    (By<UniqueIndex<Nervous, Id>>, By<MultiIndex<Nervous, Id>>, By<SortedIndex<Nervous, Id>>);

/// Code of a property panics, or memory is refused. After a panic the same changes can be filed again; and whatever it was,
/// all objects can be filed anew. Returns whether it came to that.
fn refreshed(panics: bool, after: u32) -> bool {
    let property: fn(&u32) -> Nervous = |n| Nervous(*n);
    let mut objects = Tracked::new(Arena::from_iter(0..40_u32));
    let mut subscriber = objects.subscribe();
    let mut indices: Indices =
        (UniqueIndex::by(property), MultiIndex::by(property), SortedIndex::by(property));
    let fill = |(unique, groups, in_order): &mut Indices, objects: &Arena<u32>| {
        unique.fill(objects).expect("all differ");
        groups.fill(objects).expect("there is memory");
        in_order.fill(objects).expect("there is memory");
    };
    fill(&mut indices, &objects);
    let keys: Vec<_> = objects.keys().collect();
    for pair in keys[..20].chunks_exact(2) {
        let number = objects.remove(pair[0]).expect("it is there");
        *objects.get_mut(pair[1]).expect("it is there") = number;
    }
    (100..if panics { 101 } else { 200 }).for_each(|number| _ = objects.insert(number));
    let changes = objects.poll(&mut subscriber).expect("it is its own");
    let refresh = |(unique, groups, in_order): &mut Indices| -> Result<(), IndexError<Id>> {
        changes.refresh(unique, &*objects)?;
        changes.refresh(groups, &*objects)?;
        changes.refresh(in_order, &*objects)
    };
    let is_hit = if panics {
        let is_hit = panicking_after(after, || drop(refresh(&mut indices)));
        refresh(&mut indices).expect("there is memory");
        is_hit
    } else {
        let (_, outcome) = refusing_after(after as usize, true, || refresh(&mut indices));
        assert!(matches!(outcome, Ok(()) | Err(IndexError::Memory(_))), "{outcome:?}");
        fill(&mut indices, &objects);
        outcome.is_err()
    };
    let (unique, groups, in_order) = indices;
    unique.validate();
    groups.validate();
    in_order.validate();
    assert_eq!([in_order.len(), unique.len(), groups.len()], [objects.len(); 3]);
    for (key, &n) in objects.iter() {
        assert_eq!(in_order.get(&Nervous(n)), [key]);
        assert_eq!((unique.get(&Nervous(n)), groups.get(&Nervous(n))), (Some(key), &[key][..]));
    }
    is_hit
}

#[test]
fn a_refresh_that_was_cut_short_is_made_good() {
    assert!(each_step().take_while(|&steps| refreshed(true, steps)).count() > 9);
    assert!((0..).take_while(|&grants| refreshed(false, grants)).count() > 2);
}

/// A row that was not filed, because another has its property, is filed by filling the index anew.
#[test]
fn a_refresh_that_is_refused_is_mended_by_filling_anew() {
    let mut birds = Tracked::new(Arena::from_iter(0..50_u32));
    let keys: Vec<_> = birds.keys().collect();
    let mut subscriber = birds.subscribe();
    let mut unique = UniqueIndex::by(|number: &u32| Nervous(*number));
    unique.fill(&*birds).expect("all are different");
    *birds.get_mut(keys[3]).expect("it is there") = 40;
    *birds.get_mut(keys[5]).expect("it is there") = 100;
    birds.remove(keys[7]);
    let refused = birds.poll(&mut subscriber).expect("it is its own").refresh(&mut unique, &*birds);
    assert!(matches!(refused, Err(IndexError::Duplicate { .. })), "{refused:?}");
    assert!(unique.fill(&*birds).is_err(), "there are two of them still");
    *birds.get_mut(keys[3]).expect("it is there") = 101;
    unique.fill(&*birds).expect("all are different");
    unique.validate();
    assert!(birds.iter().all(|(key, number)| unique.get(&Nervous(*number)) == Some(key)));
    assert_eq!(unique.len(), birds.len());
}

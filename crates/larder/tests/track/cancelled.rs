//! Edits that are given up, and whether there is a step to undo or to redo.

use larder::track::{Reversible, Tracked, Versioned};
use larder::{Arena, Handle, Tree};
use larder_testing::allocator::refusing_after;
use std::rc::Rc;

#[derive(Default, Reversible)]
struct Document {
    parts: Tracked<Arena<u32>>,
    tree: Tree<Handle<u32>>,
    title: Versioned<String>,
}

/// All that can be seen of a document.
type Seen = (Vec<(Handle<u32>, u32)>, Vec<Handle<u32>>, String);

impl Document {
    fn add(&mut self, number: u32) -> Handle<u32> {
        let part = self.parts.insert(number);
        let first = self.parts.keys().next().filter(|&first| first != part);
        first.into_iter().for_each(|first| self.tree.append(&*self.parts, first, part).unwrap());
        self.title.push('x');
        part
    }

    fn seen(&self) -> Seen {
        let parts = self.parts.iter().map(|(part, &number)| (part, number)).collect();
        (parts, self.tree.roots().collect(), self.title.to_string())
    }
}

#[test]
fn a_cancelled_edit_leaves_no_step() {
    let mut document = Document::default();
    assert_eq!(document.cancel(), Ok(false));
    document.add(1);
    let first = document.checkpoint();
    document.add(2);
    let before = document.seen();
    let second = document.checkpoint();
    let part = document.add(3);
    document.parts.remove(part);
    let part = document.add(4);
    assert_eq!(document.cancel(), Ok(true));
    assert_eq!(document.seen(), before);
    assert!(document.rollback(second).is_err() && !document.can_redo());
    // The keys stay stale, as after an undo.
    document.checkpoint();
    let again = document.add(5);
    assert!(again != part && !document.parts.contains_key(part));
    assert_eq!(document.undo(), Ok(true));
    assert_eq!((document.seen() == before, document.undo()), (true, Ok(true)));
    assert_eq!((document.parts.len(), document.undo()), (1, Ok(false)));
    assert_eq!(
        (document.redo(), document.redo(), document.redo()),
        (Ok(true), Ok(true), Ok(false))
    );
    assert_eq!(document.rollback(first), Ok(()));
    assert_eq!((document.cancel(), document.cancel()), (Ok(true), Ok(false)));
    assert!(!document.can_undo() && document.parts.len() == 1);
    // Nothing is recorded any more, and a new history begins.
    document.add(6);
    let now = document.checkpoint();
    document.add(7);
    assert_eq!((document.rollback(now), document.parts.len()), (Ok(()), 2));
}

#[test]
fn a_group_can_do_what_all_of_its_members_can() {
    let mut document = Document::default();
    document.checkpoint();
    document.add(1);
    assert_eq!((document.can_undo(), document.can_redo()), (true, false));
    assert_eq!(document.undo(), Ok(true));
    assert_eq!((document.can_undo(), document.can_redo()), (false, true));
    // One member changes, so that there is nothing to redo in any.
    document.title.push('y');
    assert_eq!((document.can_redo(), document.redo()), (false, Ok(false)));
    assert_eq!((document.can_undo(), document.undo()), (false, Ok(false)));
}

/// A member changes after an undo that memory was refused for on its way: nothing is done again, in none.
#[test]
fn nothing_is_done_again_where_an_undo_was_cut_short_and_a_member_has_changed() {
    let (mut title, mut parts) = (Versioned::new("old"), Tracked::new(Arena::new()));
    (&mut title, &mut parts).checkpoint();
    *title = "new";
    let part = parts.insert(1);
    let (refused, undone) = refusing_after(0, true, || (&mut title, &mut parts).undo());
    assert!(refused && undone.is_err() && (*title, parts.len()) == ("old", 1));
    parts.remove(part);
    parts.insert(2);
    let can = (&mut title, &mut parts).can_redo();
    assert_eq!((can, (&mut title, &mut parts).redo()), (false, Ok(false)));
    assert!(*title == "old" && parts.values().eq(&[2]));
}

/// A button that says that there is something to undo does not lead to an error.
#[test]
fn what_can_be_undone_is_undone() {
    let (mut one, mut other) = (Versioned::new(1), Versioned::new(1));
    (&mut one, &mut other).checkpoint();
    assert_eq!(other.undo(), Ok(true));
    *other = 2;
    let can = (&mut one, &mut other).can_undo();
    assert_eq!(can, (&mut one, &mut other).undo() == Ok(true));
}

#[test]
fn a_cancelled_checkpoint_holds_nothing() {
    let shared = Rc::new(1);
    let mut held = Versioned::new(Rc::clone(&shared));
    held.checkpoint();
    assert_eq!((held.cancel(), Rc::strong_count(&shared)), (Ok(true), 2));
}

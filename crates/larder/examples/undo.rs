//! Undo and redo in an editor's document: references between shapes survive, and what was undone stays dead.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::track::{Reversible, TrackError, Tracked};
use larder::{Arena, Handle};

#[derive(Clone)]
struct Shape {
    name: &'static str,
    attached_to: Option<Handle<Shape>>,
}

#[derive(Default)]
struct Document {
    shapes: Tracked<Arena<Shape>>,
}

impl Document {
    /// An edit is what is done between two checkpoints.
    fn edit<R>(&mut self, edit: impl FnOnce(&mut Tracked<Arena<Shape>>) -> R) -> R {
        self.shapes.checkpoint();
        edit(&mut self.shapes)
    }

    fn show(&self, when: &str) {
        let shapes = self.shapes.values().map(|shape| {
            let other = shape.attached_to.and_then(|key| self.shapes.get(key));
            other.map_or(shape.name.to_owned(), |other| format!("{}->{}", shape.name, other.name))
        });
        println!("{when}: {}", shapes.collect::<Vec<_>>().join(", "));
    }
}

fn main() -> Result<(), TrackError> {
    let mut document = Document::default();
    let shape = |name, attached_to| Shape { name, attached_to };
    let circle = document.edit(|shapes| shapes.insert(shape("circle", None)));
    let arrow = document.edit(|shapes| shapes.insert(shape("arrow", Some(circle))));
    document.edit(|shapes| shapes.remove(circle));
    document.show("the circle removed");
    document.shapes.undo()?;
    document.show("undone"); // under the key that the arrow has
    while document.shapes.redo()? {}
    document.show("redone");

    (0..2).try_for_each(|_| document.shapes.undo().map(drop))?;
    let square = document.edit(|shapes| shapes.insert(shape("square", None)));
    document.show("a square instead");
    assert!(!document.shapes.contains_key(arrow) && document.shapes.contains_key(square));

    for _ in 0..1_000 {
        document.edit(|shapes| shapes.insert(shape("dot", Some(square))));
    }
    (0..1_000).try_for_each(|_| document.shapes.undo().map(drop))?;
    let undone = document.shapes.len();
    while document.shapes.redo()? {}
    println!("1,000 edits undone: {undone} shapes; redone: {}", document.shapes.len());
    Ok(())
}

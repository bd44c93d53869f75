//! A JSON document as objects, lists and interned keys, and its memory beside a `serde_json::Value`'s.
//!
//! `cargo run -p larder --example json [-- FILE]`
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod document;

use std::{env, error, fs};

use document::{Document, Key, Node};
use serde_json::Value;

/// The value again.
fn value(of: &Document, key: Key) -> Value {
    match &of.nodes[key] {
        Node::Null => Value::Null,
        Node::Bool(bool) => (*bool).into(),
        Node::Integer(integer) => (*integer).into(),
        Node::Number(number) => (*number).into(),
        Node::Text(text) => of.texts[*text].into(),
        Node::Array(items) => of.arrays[*items].iter().map(|item| value(of, *item)).collect(),
        Node::Object(members) => {
            let members = of.objects[*members].iter();
            members.map(|(name, member)| (of.texts[*name].to_owned(), value(of, *member))).collect()
        }
    }
}

/// Returns the least number of bytes of a value: the entries of its maps are counted, but not the room for more.
fn bytes_of(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::String(text) => text.capacity(),
            Value::Array(items) => items.iter().map(bytes_of).sum(),
            Value::Object(members) => {
                let members = members.iter();
                members.map(|(name, of)| size_of_val(name) + name.capacity() + bytes_of(of)).sum()
            }
            _ => 0,
        }
}

fn main() -> Result<(), Box<dyn error::Error>> {
    let file = env::args().nth(1).map(fs::read_to_string).transpose()?;
    let text = file.as_deref().unwrap_or(include_str!("measurements.json"));
    let parsed: Value = serde_json::from_str(text)?;
    let mut document = Document::default();
    let root = document.add(&parsed);
    assert!(value(&document, root) == parsed, "nothing is lost");
    let Document { mut nodes, mut arrays, mut objects, texts } = document;
    nodes.shrink_to_fit();
    arrays.compact();
    objects.compact();
    let lists = arrays.stats().bytes + objects.stats().bytes;
    let bytes = nodes.stats().memory.committed + lists + texts.stats().bytes;
    println!("{} values, {} different texts", nodes.len(), texts.stats().names);
    println!("{bytes} bytes; as a serde_json::Value at least {}", bytes_of(&parsed));
    Ok(())
}

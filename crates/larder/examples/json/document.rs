//! A document whose values, lists and texts lie in pools.

use larder::pools::list_pool::{ListHandle, ListPool};
use larder::{
    Arena,
    key::BareHandle,
    pools::{StringPool, Symbol},
};
use serde_json::Value;

pub(crate) type Key = BareHandle<Node>;

pub(crate) enum Node {
    Null,
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(Symbol),
    Array(ListHandle<Key>),
    Object(ListHandle<(Symbol, Key)>),
}

#[derive(Default)]
pub(crate) struct Document {
    pub(crate) nodes: Arena<Node, Key>,
    pub(crate) arrays: ListPool<Key>,
    pub(crate) objects: ListPool<(Symbol, Key)>,
    pub(crate) texts: StringPool,
}

impl Document {
    pub(crate) fn add(&mut self, value: &Value) -> Key {
        let node = match value {
            Value::Null => Node::Null,
            Value::Bool(bool) => Node::Bool(*bool),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => Node::Integer(integer),
                None => Node::Number(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Node::Text(self.texts.intern(text)),
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.add(item)).collect();
                Node::Array(self.arrays.make(items))
            }
            Value::Object(members) => {
                let members: Vec<_> = members
                    .iter()
                    .map(|(name, value)| (self.texts.intern(name), self.add(value)))
                    .collect();
                Node::Object(self.objects.make(members))
            }
        };
        self.nodes.insert(node)
    }
}

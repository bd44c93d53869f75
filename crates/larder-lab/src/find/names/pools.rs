//! The interners under measurement: larder's in both modes, its rivals, and those written by hand.

use alloc::rc::Rc;
use std::collections::{HashMap, HashSet};

use larder::pools::{StringPool, Symbol};
use lasso::{Rodeo, Spur};
use string_interner::DefaultStringInterner;
use string_interner::symbol::SymbolU32;

use crate::study::hashers::{Foldhash, Hasher, RandomState};

/// Texts that are stored once each. (All of it is inlined, as in `unique`.)
pub(crate) trait Names: Default {
    /// What stands for a text.
    type Symbol;

    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// Whether texts without references are removed.
    const RELEASES: bool = false;

    /// The symbol of a text, which is stored if it is new.
    fn intern(&mut self, text: &str) -> Self::Symbol;

    /// Whether a text is known.
    fn contains(&self, text: &str) -> bool;

    /// A symbol's text.
    fn resolve<'a>(&'a self, symbol: &'a Self::Symbol) -> &'a str;

    /// Releases a reference.
    fn release(&mut self, _symbol: Self::Symbol) {
        unreachable!("it cannot do this");
    }
}

/// larder: texts that are never removed.
#[derive(Default)]
pub(crate) struct LarderKept(StringPool);

impl Names for LarderKept {
    type Symbol = Symbol;

    const NAME: &'static str = "StringPool, intern";

    #[inline(always)]
    fn intern(&mut self, text: &str) -> Symbol {
        self.0.intern(text)
    }

    #[inline(always)]
    fn contains(&self, text: &str) -> bool {
        self.0.find(text).is_some()
    }

    #[inline(always)]
    fn resolve<'a>(&'a self, &symbol: &'a Symbol) -> &'a str {
        &self.0[symbol]
    }
}

/// larder: texts whose references are counted.
#[derive(Default)]
pub(crate) struct LarderCounted(StringPool);

impl Names for LarderCounted {
    type Symbol = Symbol;

    const NAME: &'static str = "StringPool, acquire";
    const RELEASES: bool = true;

    #[inline(always)]
    fn intern(&mut self, text: &str) -> Symbol {
        self.0.acquire(text)
    }

    #[inline(always)]
    fn contains(&self, text: &str) -> bool {
        self.0.find(text).is_some()
    }

    #[inline(always)]
    fn resolve<'a>(&'a self, &symbol: &'a Symbol) -> &'a str {
        &self.0[symbol]
    }

    #[inline(always)]
    fn release(&mut self, symbol: Symbol) {
        self.0.release(symbol);
    }
}

/// Written by hand: each text twice, in a table and in a list.
#[derive(Default)]
pub(crate) struct ByHand {
    numbers: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Names for ByHand {
    type Symbol = u32;

    const NAME: &'static str = "HashMap and Vec";

    #[inline(always)]
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }

    #[inline(always)]
    fn contains(&self, text: &str) -> bool {
        self.numbers.contains_key(text)
    }

    #[inline(always)]
    fn resolve<'a>(&'a self, &symbol: &'a u32) -> &'a str {
        &self.texts[symbol as usize]
    }
}

/// Written by hand with texts that are removed: counted by the standard library. (With the hasher of `StringPool`, since
/// releasing takes a hash here.)
#[derive(Default)]
pub(crate) struct Counted(HashSet<Rc<str>, Foldhash>);

impl Names for Counted {
    type Symbol = Rc<str>;

    const NAME: &'static str = "HashSet<Rc<str>>, foldhash";
    const RELEASES: bool = true;

    #[inline(always)]
    fn intern(&mut self, text: &str) -> Rc<str> {
        if let Some(known) = self.0.get(text) {
            return Rc::clone(known);
        }
        let new: Rc<str> = text.into();
        self.0.insert(Rc::clone(&new));
        new
    }

    #[inline(always)]
    fn contains(&self, text: &str) -> bool {
        self.0.contains(text)
    }

    #[inline(always)]
    fn resolve<'a>(&'a self, symbol: &'a Rc<str>) -> &'a str {
        symbol
    }

    #[inline(always)]
    fn release(&mut self, symbol: Rc<str>) {
        // The other one is the set's.
        if Rc::strong_count(&symbol) == 2 {
            self.0.remove(&symbol);
        }
    }
}

/// `lasso`.
pub(crate) struct Lasso<S = RandomState>(Rodeo<Spur, S>);

impl<S: Hasher> Default for Lasso<S> {
    fn default() -> Self {
        Self(Rodeo::with_hasher(S::default()))
    }
}

impl<S: Hasher> Names for Lasso<S> {
    type Symbol = Spur;

    const NAME: &'static str = if S::IS_FOLDHASH { "lasso, foldhash" } else { "lasso" };

    #[inline(always)]
    fn intern(&mut self, text: &str) -> Spur {
        self.0.get_or_intern(text)
    }

    #[inline(always)]
    fn contains(&self, text: &str) -> bool {
        self.0.contains(text)
    }

    #[inline(always)]
    fn resolve<'a>(&'a self, symbol: &'a Spur) -> &'a str {
        self.0.resolve(symbol)
    }
}

/// `string-interner`.
#[derive(Default)]
pub(crate) struct Interner(DefaultStringInterner);

impl Names for Interner {
    type Symbol = SymbolU32;

    const NAME: &'static str = "string-interner";

    #[inline(always)]
    fn intern(&mut self, text: &str) -> SymbolU32 {
        self.0.get_or_intern(text)
    }

    #[inline(always)]
    fn contains(&self, text: &str) -> bool {
        self.0.get(text).is_some()
    }

    #[inline(always)]
    fn resolve<'a>(&'a self, &symbol: &'a SymbolU32) -> &'a str {
        self.0.resolve(symbol).expect("it was interned here")
    }
}

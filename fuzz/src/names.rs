//! A pool of names beside a map from text to references.

use std::collections::BTreeMap;

use larder::pools::{StringPool, string_pool::Symbol};

use crate::bytes::Bytes;

#[derive(Clone, Copy, Debug)]
struct Known {
    symbol: Symbol,
    /// `None`: it is kept.
    references: Option<u32>,
}

#[derive(Default)]
struct Trial {
    pool: StringPool,
    known: BTreeMap<String, Known>,
    gone: Vec<Symbol>,
}

impl Trial {
    fn text(bytes: &mut Bytes<'_>) -> String {
        let (number, length) = (bytes.byte(), bytes.byte());
        let length = match length {
            0..=199 => usize::from(length % 24),
            200..=250 => usize::from(length) * 3,
            _ => usize::from(length) * 40,
        };
        let text = format!("{number}ä");
        text.chars().cycle().take(length).collect()
    }

    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 16 {
            0..=3 => {
                let text = Self::text(bytes);
                let symbol = self.pool.intern(&text);
                self.told(&text, symbol).references = None;
            }
            4..=7 => {
                let text = Self::text(bytes);
                let symbol = self.pool.acquire(&text);
                if let Some(references) = &mut self.told(&text, symbol).references {
                    *references += 1;
                }
            }
            8..=12 => {
                let texts: Vec<String> = self.known.keys().cloned().collect();
                if texts.is_empty() {
                    return;
                }
                let text = &texts[bytes.below(texts.len())];
                let known = self.known.get_mut(text).expect("it is known");
                let symbol = known.symbol;
                let ends = known.references == Some(1);
                if let Some(references) = &mut known.references {
                    *references -= 1;
                }
                assert_eq!(self.pool.release(symbol), ends);
                if ends {
                    self.known.remove(text);
                    self.gone.push(symbol);
                }
            }
            13 => {
                let text = Self::text(bytes);
                assert_eq!(self.pool.find(&text), self.known.get(&text).map(|known| known.symbol));
            }
            14 if bytes.byte() % 16 == 0 => {
                self.pool.clear();
                self.gone.extend(
                    core::mem::take(&mut self.known).into_values().map(|known| known.symbol),
                );
            }
            _ => self.pool = self.pool.clone(),
        }
    }

    /// Returns the facts known about a text whose symbol is this.
    fn told(&mut self, text: &str, symbol: Symbol) -> &mut Known {
        let known =
            self.known.entry(text.to_owned()).or_insert(Known { symbol, references: Some(0) });
        assert_eq!(known.symbol, symbol);
        known
    }

    fn check(&self) {
        self.pool.validate();
        assert_eq!(self.pool.len(), self.known.len());
        for (text, known) in &self.known {
            assert_eq!(self.pool.get(known.symbol), Some(&text[..]));
            assert_eq!(self.pool.find(text), Some(known.symbol));
        }
        for &symbol in self.gone.iter().rev().take(100) {
            assert_eq!(self.pool.get(symbol), None);
        }
        let walked: BTreeMap<&str, Symbol> =
            self.pool.iter().map(|(symbol, text)| (text, symbol)).collect();
        assert!(walked.keys().copied().eq(self.known.keys().map(String::as_str)));
    }
}

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut trial = Trial::default();
    let mut steps = 0;
    while !bytes.is_empty() && steps < 1_500 {
        trial.step(&mut bytes);
        steps += 1;
        if steps % 16 == 0 {
            trial.check();
        }
    }
    trial.check();
}

//! Walks that go on while the hierarchy changes under them.

use larder::{Arena, Handle, Tree, trees::Cursor};

use larder_testing::common::{SplitMix, amount, thorough};

/// A cursor through a chain is not slowed by how deep it is.
#[test]
fn a_cursor_goes_a_million_deep() {
    let count = amount(1_000_000, 60_000, 300);
    let mut things = Arena::new();
    let keys: Vec<_> = (0..count).map(|n| things.insert(n)).collect();
    let mut tree = Tree::new();
    for pair in keys.windows(2) {
        tree.append(&things, pair[0], pair[1]).unwrap();
    }
    let mut cursor = Cursor::new(keys[0]);
    assert_eq!(core::iter::from_fn(|| cursor.next(&tree)).count(), count - 1);
}

/// The object at which the cursor stands, and the places from which it goes on if that is gone.
struct Stand {
    key: Handle<i32>,
    above: Option<Handle<i32>>,
    before: Option<Handle<i32>>,
}

impl Stand {
    fn at(tree: &Tree<Handle<i32>>, key: Handle<i32>) -> Self {
        Self { key, above: tree.parent(key), before: tree.prev_sibling(key) }
    }

    /// Returns whether the cursor promises to go on without leaving anything out.
    fn holds(&self, tree: &Tree<Handle<i32>>, root: Handle<i32>) -> bool {
        let is_below = |key| key == root || tree.ancestors(key).any(|above| above == root);
        let in_front = |key| tree.parent(key) == self.above;
        is_below(self.key) || self.above.is_some_and(is_below) && self.before.is_none_or(in_front)
    }
}

/// Whatever is removed while it walks, what it stands on and what is above that, too: it does as promised.
#[test]
fn a_cursor_does_as_promised_whatever_is_removed() {
    let mut kept = 0;
    for seed in 0..thorough(2_000, 10) as u64 {
        let mut random = SplitMix::new(seed);
        let mut things = Arena::from_iter(0..30);
        let keys: Vec<_> = things.keys().collect();
        let mut tree = Tree::new();
        for (at, &key) in keys.iter().enumerate().skip(1) {
            tree.append(&things, keys[random.below(at)], key).unwrap();
        }
        let root = keys[0];
        let (mut cursor, mut seen, mut promised) = (Cursor::new(root), Vec::new(), true);
        while let Some(key) = cursor.next(&tree) {
            assert!(things.contains_key(key) && !seen.contains(&key), "{seed}");
            seen.push(key);
            let stand = Stand::at(&tree, key);
            for _ in 0..random.below(3) {
                let nearby = [Some(key), stand.above, stand.before, tree.next_sibling(key)];
                let chosen = nearby[random.below(4)].unwrap_or(keys[random.below(30)]);
                let gone = if random.below(2) == 0 { chosen } else { keys[random.below(30)] };
                match random.below(3) {
                    _ if gone == root => (),
                    0 => drop(tree.remove_subtree(&mut things, gone)),
                    1 => drop(tree.remove_promoting(&mut things, gone)),
                    _ => drop(tree.remove_orphaning(&mut things, gone)),
                }
            }
            promised &= stand.holds(&tree, root);
        }
        seen.retain(|&key| tree.ancestors(key).any(|above| above == root));
        assert!(!promised || tree.descendants(root).eq(seen), "{seed}");
        kept += usize::from(promised);
    }
    assert!(kept > thorough(200, 0), "the promise held only {kept} times");
}

//! A handle of a tree does not open a container of birds.

struct Tree;
struct Bird;

fn main() {
    let mut trees = larder::DenseArena::new();
    let mut birds = larder::DenseArena::new();
    let tree = trees.insert(Tree);
    birds.insert(Bird);
    birds.get(tree);
    birds.remove(tree);
    let _ = &birds[tree];
}

//! A scene graph: where a node is in the world follows from its parent, which comes first in pre-order.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::{Arena, Handle, Tree};

/// Turned by `angle`, scaled by `scale`, then moved.
#[derive(Clone, Copy)]
struct Transform {
    angle: f32,
    scale: f32,
    at: [f32; 2],
}

impl Transform {
    /// The transform that does `inner` first.
    fn after(self, inner: Self) -> Self {
        let (sin, cos) = self.angle.sin_cos();
        let [x, y] = inner.at.map(|coordinate| coordinate * self.scale);
        Self {
            angle: self.angle + inner.angle,
            scale: self.scale * inner.scale,
            at: [self.at[0] + cos * x - sin * y, self.at[1] + sin * x + cos * y],
        }
    }
}

struct Node {
    name: &'static str,
    local: Transform,
    world: Transform,
}

fn main() {
    let (mut nodes, mut tree) = (Arena::new(), Tree::new());
    let mut add = |parent: Option<Handle<Node>>, name, angle, at| {
        let local = Transform { angle, scale: 1.0, at };
        let node = nodes.insert(Node { name, local, world: local });
        if let Some(parent) = parent {
            tree.append(&nodes, parent, node).expect("both are there");
        }
        node
    };
    let quarter = core::f32::consts::FRAC_PI_2;
    let car = add(None, "car", quarter, [10.0, 0.0]);
    let turret = add(Some(car), "turret", quarter, [1.0, 0.0]);
    let gun = add(Some(turret), "gun", 0.0, [2.0, 0.0]);
    let wheel = add(Some(car), "wheel", 0.0, [-1.0, 1.0]);

    for node in tree.descendants(car) {
        let above = tree.parent(node).map(|parent| nodes[parent].world);
        nodes[node].world = above.map_or(nodes[node].local, |above| above.after(nodes[node].local));
        let (depth, [x, y]) = (tree.ancestors(node).count(), nodes[node].world.at);
        println!("{}{} at {x:.0}, {y:.0}", "  ".repeat(depth), nodes[node].name);
    }
    let near = |node, [x, y]: [f32; 2]| {
        let [found_x, found_y] = nodes[node].world.at;
        (found_x - x).abs() < 1e-4 && (found_y - y).abs() < 1e-4
    };
    assert!(near(turret, [10.0, 1.0]) && near(gun, [8.0, 1.0]) && near(wheel, [9.0, -1.0]));
}

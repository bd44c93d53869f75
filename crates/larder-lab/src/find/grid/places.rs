//! The containers of points under measurement: larder's grid, its rivals, and brute force.

use kiddo::SquaredEuclidean;
use kiddo::immutable::float::kdtree::ImmutableKdTree;
use larder::{Arena, Handle, indices::GridIndex};
use rstar::primitives::GeomWithData;

/// A place.
pub(crate) type Point<const N: usize> = [f32; N];

/// Points by their places.
pub(crate) trait Places<const N: usize>: Default {
    /// The name in tables and in JSON.
    const NAME: &'static str;

    /// Adds a point; numbers go up from 0.
    fn insert(&mut self, number: u32, point: Point<N>);

    /// The sum of the numbers of all points within a radius.
    fn within(&self, center: Point<N>, radius: f32) -> u64;

    /// The place of the nearest point.
    fn nearest(&self, center: Point<N>) -> Point<N>;

    /// Moves a point.
    fn set(&mut self, number: u32, from: Point<N>, to: Point<N>);

    /// Whether points can be added and moved one by one.
    const CAN_CHANGE: bool = true;

    /// All points are there: what is built at once is built now.
    fn finish(&mut self) {}

    /// All points at once, as fast as it can be.
    fn filled(points: &[Point<N>]) -> Self {
        let mut filled = Self::default();
        (0..).zip(points).for_each(|(number, &point)| filled.insert(number, point));
        filled.finish();
        filled
    }
}

/// The square of the distance.
#[inline(always)]
pub(crate) fn distance<const N: usize>(a: Point<N>, b: Point<N>) -> f32 {
    a.iter().zip(&b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

fn sum(numbers: impl Iterator<Item = u32>) -> u64 {
    numbers.fold(0, |sum, number| sum + u64::from(number))
}

/// All points are compared.
#[derive(Default)]
pub(crate) struct BruteForce<const N: usize>(Vec<Point<N>>);

impl<const N: usize> Places<N> for BruteForce<N> {
    const NAME: &'static str = "brute force";

    #[inline(always)]
    fn insert(&mut self, _number: u32, point: Point<N>) {
        self.0.push(point);
    }

    #[inline(always)]
    fn within(&self, center: Point<N>, radius: f32) -> u64 {
        let near = |&(_, &point): &(u32, &Point<N>)| distance(point, center) <= radius * radius;
        sum((0..).zip(&self.0).filter(near).map(|(number, _)| number))
    }

    #[inline(always)]
    fn nearest(&self, center: Point<N>) -> Point<N> {
        let by_distance =
            |a: &&Point<N>, b: &&Point<N>| distance(**a, center).total_cmp(&distance(**b, center));
        *self.0.iter().min_by(by_distance).expect("there is a point")
    }

    #[inline(always)]
    fn set(&mut self, number: u32, _from: Point<N>, to: Point<N>) {
        self.0[number as usize] = to;
    }
}

/// `rstar`.
pub(crate) struct RTree<const N: usize>(rstar::RTree<GeomWithData<Point<N>, u32>>)
where
    Point<N>: rstar::Point<Scalar = f32>;

impl<const N: usize> Default for RTree<N> {
    fn default() -> Self {
        Self(rstar::RTree::new())
    }
}

impl<const N: usize> Places<N> for RTree<N> {
    const NAME: &'static str = "rstar";

    #[inline(always)]
    fn insert(&mut self, number: u32, point: Point<N>) {
        self.0.insert(GeomWithData::new(point, number));
    }

    #[inline(always)]
    fn within(&self, center: Point<N>, radius: f32) -> u64 {
        sum(self.0.locate_within_distance(center, radius * radius).map(|found| found.data))
    }

    #[inline(always)]
    fn nearest(&self, center: Point<N>) -> Point<N> {
        *self.0.nearest_neighbor(center).expect("there is a point").geom()
    }

    #[inline(always)]
    fn set(&mut self, number: u32, from: Point<N>, to: Point<N>) {
        self.0.remove(&GeomWithData::new(from, number));
        self.0.insert(GeomWithData::new(to, number));
    }

    fn filled(points: &[Point<N>]) -> Self {
        let points = (0..).zip(points).map(|(number, &point)| GeomWithData::new(point, number));
        Self(rstar::RTree::bulk_load(points.collect()))
    }
}

/// `kiddo`: its mutable tree.
#[derive(Default)]
pub(crate) struct KdTree<const N: usize> {
    tree: kiddo::float::kdtree::KdTree<f32, u32, N, 32, u32>,
    /// It finds numbers, not places.
    points: Vec<Point<N>>,
}

impl<const N: usize> Places<N> for KdTree<N> {
    const NAME: &'static str = "kiddo";

    #[inline(always)]
    fn insert(&mut self, number: u32, point: Point<N>) {
        self.tree.add(&point, number);
        self.points.push(point);
    }

    #[inline(always)]
    fn within(&self, center: Point<N>, radius: f32) -> u64 {
        // Its iterator makes a coroutine for each query, which is slower than a list.
        let found = self.tree.within_unsorted::<SquaredEuclidean>(&center, radius * radius);
        sum(found.into_iter().map(|found| found.item))
    }

    #[inline(always)]
    fn nearest(&self, center: Point<N>) -> Point<N> {
        let found = self.tree.nearest_one::<SquaredEuclidean>(&center);
        self.points[found.item as usize]
    }

    #[inline(always)]
    fn set(&mut self, number: u32, from: Point<N>, to: Point<N>) {
        self.tree.remove(&from, number);
        self.tree.add(&to, number);
        self.points[number as usize] = to;
    }
}

/// `kiddo`: its other tree, which is built at once and does not change.
#[derive(Default)]
pub(crate) struct FixedTree<const N: usize> {
    tree: Option<ImmutableKdTree<f32, u32, N, 32>>,
    /// It finds numbers, not places.
    points: Vec<Point<N>>,
}

impl<const N: usize> FixedTree<N> {
    fn tree(&self) -> &ImmutableKdTree<f32, u32, N, 32> {
        self.tree.as_ref().expect("it is built")
    }
}

impl<const N: usize> Places<N> for FixedTree<N> {
    const NAME: &'static str = "kiddo, immutable";
    const CAN_CHANGE: bool = false;

    #[inline(always)]
    fn insert(&mut self, _number: u32, point: Point<N>) {
        self.points.push(point);
    }

    fn finish(&mut self) {
        self.tree = Some(ImmutableKdTree::new_from_slice(&self.points));
    }

    #[inline(always)]
    fn within(&self, center: Point<N>, radius: f32) -> u64 {
        let found = self.tree().within_unsorted::<SquaredEuclidean>(&center, radius * radius);
        sum(found.into_iter().map(|found| found.item))
    }

    #[inline(always)]
    fn nearest(&self, center: Point<N>) -> Point<N> {
        let found = self.tree().nearest_one::<SquaredEuclidean>(&center);
        self.points[found.item as usize]
    }

    #[inline(always)]
    fn set(&mut self, _number: u32, _from: Point<N>, _to: Point<N>) {
        unreachable!("it does not change")
    }
}

/// larder: a grid of cells of so many metres.
pub(crate) struct Cells<const N: usize, const SIZE: usize> {
    /// Where the keys come from.
    objects: Arena<()>,
    keys: Vec<Handle<()>>,
    grid: GridIndex<Handle<()>, N>,
}

impl<const N: usize, const SIZE: usize> Default for Cells<N, SIZE> {
    fn default() -> Self {
        Self { objects: Arena::new(), keys: Vec::new(), grid: GridIndex::new(SIZE as f32) }
    }
}

impl<const N: usize, const SIZE: usize> Places<N> for Cells<N, SIZE> {
    const NAME: &'static str = match SIZE {
        5 => "GridIndex, 5 m",
        10 => "GridIndex, 10 m",
        20 => "GridIndex, 20 m",
        _ => "GridIndex, 50 m",
    };

    #[inline(always)]
    fn insert(&mut self, _number: u32, point: Point<N>) {
        let key = self.objects.insert(());
        self.keys.push(key);
        self.grid.insert(key, point).expect("the point is finite");
    }

    #[inline(always)]
    fn within(&self, center: Point<N>, radius: f32) -> u64 {
        sum(self.grid.within(center, radius).expect("it is a circle").map(|(key, _)| key.slot()))
    }

    #[inline(always)]
    fn nearest(&self, center: Point<N>) -> Point<N> {
        self.grid.nearest(center).ok().flatten().expect("there is a point").1
    }

    #[inline(always)]
    fn set(&mut self, number: u32, _from: Point<N>, to: Point<N>) {
        self.grid.insert(self.keys[number as usize], to).expect("the point is finite");
    }

    /// In the order of space.
    fn filled(points: &[Point<N>]) -> Self {
        let mut filled = Self::default();
        filled.keys = points.iter().map(|_| filled.objects.insert(())).collect();
        let pairs = filled.keys.iter().copied().zip(points.iter().copied());
        filled.grid.extend(pairs).expect("the points are finite");
        filled
    }
}

//! Values that are nothing but their fields.

/// A type without a `Drop` of its own, which may be taken apart. All others have it by the rule below,
/// so that saying it of one of them is a conflict, and an error.
pub trait WithoutDrop {}

#[expect(drop_bounds, reason = "`Drop` itself is meant, not whether anything needs to be dropped")]
impl<T: Drop + ?Sized> WithoutDrop for T {}

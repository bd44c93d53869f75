#![doc = include_str!("../README.md")]
//!
//! How it is built: `attributes` reads `#[soa(…)]`, `description` finds the columns, and what is said wrongly; `form` declares
//! the six structs, `shape`, `access` and `fill` implement larder's traits, `methods` and `traits` are
//! those of the structs.

#![forbid(unsafe_code)]

mod access;
mod attributes;
mod description;
mod fill;
mod form;
mod methods;
mod shape;
mod traits;
mod words;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Result, parse_macro_input};

use description::Description;
use form::Form;

/// Columns for the fields of a struct: it implements `Soa` and `Fill`, and makes six structs of
/// references, which the page of the crate shows.
///
/// For structs with at least one field, with names or without, generic or not. Enums and unions have
/// no columns; a field of such a type is a column like any other. A struct with a `Drop` of its own
/// cannot be taken apart, and is refused. The types of fields are as visible as the struct.
///
/// # Attributes of a field
///
/// **`#[soa(nested)]`**: the field's type derives `Soa` too (or is a tuple), and its fields are columns
/// of their own. Of a nested field there is a `Vec2Ref`, a `Vec2Columns` and so on.
/// ```
/// use larder::{Soa, SoaArena};
///
/// #[derive(Soa)]
/// struct Vec2 { x: f32, y: f32 }
///
/// #[derive(Soa)]
/// struct Body {
///     #[soa(nested)]
///     place: Vec2,
///     mass: f32,
/// }
///
/// let bodies = SoaArena::from_iter([Body { place: Vec2 { x: 1.0, y: 2.0 }, mass: 3.0 }]);
/// assert_eq!(bodies.columns().place.x, [1.0]);
/// assert_eq!(bodies.values().map(|body| body.place.y + body.mass).sum::<f32>(), 5.0);
/// ```
///
/// **`#[soa(group = "hot")]`**: fields of the same group lie side by side, in a struct that is made for
/// them (`BodyHot`), because they are used together. Each of them is a reference of its own in `BodyRef`
/// all the same; in `BodyColumns` the group is one slice. A column is as visible as its fields if all
/// of them are alike, and private if not.
/// ```
/// # use larder::{Soa, SoaArena};
/// #[derive(Soa)]
/// struct Body {
///     #[soa(group = "hot")]
///     place: f32,
///     #[soa(group = "hot")]
///     speed: f32,
///     name: &'static str,
/// }
///
/// let mut bodies = SoaArena::from_iter([Body { place: 1.0, speed: 0.5, name: "moon" }]);
/// for BodyHot { place, speed } in bodies.columns_mut().hot {
///     *place += *speed;
/// }
/// assert_eq!(bodies.values().next().map(|body| *body.place), Some(1.5));
/// ```
///
/// **`#[soa(align = 64)]`**: the column begins at a multiple of so many bytes, a power of two. Of a field
/// in a group it is said of the group; of a nested field it is said in the nested struct.
///
/// **`#[soa(fill = 1.0)]`**: what the field holds in holes, and in lanes without a value: a constant of its
/// type. Without it, it is what `Fill` says of the type, zero for numbers. (A comma outside of
/// brackets ends the attribute; put braces around such a constant.)
/// ```
/// # use larder::{Soa, SoaArena};
/// #[derive(Soa)]
/// struct Body {
///     place: f32,
///     #[soa(fill = 1.0)]
///     mass: f32,
/// }
///
/// let mut bodies = SoaArena::new();
/// let body = bodies.insert(Body { place: 2.0, mass: 4.0 });
/// bodies.remove(body);
/// assert_eq!(bodies.columns().mass, [1.0]); // a whole column can be divided by
/// ```
///
/// # Attributes of the struct
///
/// **`#[soa(lanes = 8)]`**: columns lie in groups of 4, 8, 16, 32 or 64 values, each field an array; or of
/// as many as fill 16 KiB, with `"block"` (for structs without parameters, of 4 KiB at most). All fields
/// are plain data: none needs `Drop`.
/// ```
/// # use larder::{Soa, SoaArena};
/// #[derive(Soa)]
/// #[soa(lanes = 4)]
/// struct Body { place: f32, speed: f32 }
///
/// let mut bodies = SoaArena::from_iter([Body { place: 1.0, speed: 0.5 }]);
/// for (_, lanes) in bodies.blocks_mut() {
///     for (place, speed) in lanes.place.iter_mut().zip(lanes.speed) {
///         *place += *speed;
///     }
/// }
/// assert_eq!(bodies.blocks().next().map(|(_, lanes)| *lanes.place), Some([1.5, 0.0, 0.0, 0.0]));
/// ```
/// Of a parameter it is known only where the struct is used whether it needs `Drop`:
/// ```compile_fail,E0080
/// # use larder::{Soa, SoaArena};
/// #[derive(Soa)]
/// #[soa(lanes = 4)]
/// struct Of<T> { value: T }
///
/// SoaArena::new().insert(Of { value: 1.5_f32 });
/// SoaArena::new().insert(Of { value: String::new() }); // no plain data
/// ```
///
/// **`#[soa(align = 64)]`**: that of all columns whose fields do not say another. Nested fields have what
/// their own struct says.
///
/// **`#[soa(no_fill)]`**: `Fill` is not implemented, for types without a constant to fill with. Such a
/// struct can lie in a `DenseSoaArena`, which has no holes, but has no lanes.
/// ```
/// # use larder::{DenseSoaArena, Soa};
/// struct Texture(Box<[u8]>);
///
/// #[derive(Soa)]
/// #[soa(no_fill)]
/// struct Sprite { place: f32, texture: Texture }
///
/// let sprites = DenseSoaArena::from_iter([Sprite { place: 1.0, texture: Texture(Box::new([7])) }]);
/// assert_eq!(sprites.columns().texture[0].0[0], 7);
/// ```
///
/// **`#[soa(crate = path)]`**: where larder is, if it is not `::larder`: for crates that pass it on.
/// ```
/// mod engine {
///     pub use larder;
/// }
///
/// #[derive(engine::larder::Soa)]
/// #[soa(crate = engine::larder)]
/// struct Body { mass: f32 }
/// ```
#[proc_macro_derive(Soa, attributes(soa))]
pub fn derive_soa(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<proc_macro2::TokenStream> {
    let description = Description::read(input)?;
    let structs = Form::ALL.into_iter().map(|form| {
        let declaration = description.form_struct(form);
        let (traits, methods) = (description.form_traits(form), description.form_methods(form));
        quote!(#declaration #traits #methods)
    });
    let groups = description.groups();
    let soa = description.soa_impl();
    let without_drop = description.without_drop();
    let fill = description.fill_impl();
    let (plain, block) = (description.lanes_are_plain(), description.lanes_fill_a_block());
    Ok(quote! {
        #(#structs)*
        #groups
        #soa
        #without_drop
        #fill
        #plain
        #block
    })
}

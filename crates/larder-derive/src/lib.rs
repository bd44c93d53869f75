#![doc = include_str!("../README.md")]
//!
//! The modules: `attributes` reads `#[soa(…)]`, `description` finds the columns and reports errors; `form` declares the
//! six structs, `shape`, `access` and `fill` implement larder's traits, `methods` and `traits` are those of the
//! structs. `group` reads the structs that observe and that go back, which `observer` and `reversible` implement.

#![forbid(unsafe_code)]

mod access;
mod attributes;
mod description;
mod fill;
mod form;
mod group;
mod methods;
mod observer;
mod reversible;
mod shape;
mod traits;
mod words;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Result};

use description::Description;
use form::Form;
use group::Group;

#[doc = include_str!("soa.md")]
#[proc_macro_derive(Soa, attributes(soa))]
pub fn derive_soa(input: TokenStream) -> TokenStream {
    derive(input, expand)
}

#[doc = include_str!("observer.md")]
#[proc_macro_derive(Observer, attributes(observer))]
pub fn derive_observer(input: TokenStream) -> TokenStream {
    derive(input, |input| Ok(Group::of_observers(input)?.observer()))
}

#[doc = include_str!("reversible.md")]
#[proc_macro_derive(Reversible, attributes(reversible))]
pub fn derive_reversible(input: TokenStream) -> TokenStream {
    derive(input, |input| Ok(Group::of_members(input)?.reversible()))
}

/// Returns the code for an item, or the error. The compiler has read the item before, but `syn` reads few expressions
/// without its feature `full`, which takes longer to build.
fn derive(
    input: TokenStream,
    expand: impl FnOnce(&DeriveInput) -> Result<proc_macro2::TokenStream>,
) -> TokenStream {
    let input = syn::parse(input).map_err(|error| {
        if !error.to_string().starts_with("unsupported expression") {
            return error;
        }
        Error::new(
            error.span(),
            "a derive does not read this expression: give it a name, as in `const LENGTH: usize = …;`, \
             and use that here",
        )
    });
    let expanded = input.and_then(|input| expand(&input));
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<proc_macro2::TokenStream> {
    let description = Description::read(input)?;
    let structs = Form::ALL.into_iter().map(|form| {
        let declaration = description.form_struct(form);
        let (parts, traits) = (description.form_parts(form), description.form_traits(form));
        let methods = description.form_methods(form);
        quote!(#declaration #parts #traits #methods)
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

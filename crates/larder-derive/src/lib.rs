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
use syn::{DeriveInput, Error, Result, parse_macro_input};

use description::Description;
use form::Form;
use group::Group;

#[doc = include_str!("soa.md")]
#[proc_macro_derive(Soa, attributes(soa))]
pub fn derive_soa(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

#[doc = include_str!("observer.md")]
#[proc_macro_derive(Observer, attributes(observer))]
pub fn derive_observer(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let expanded = Group::of_observers(&input).map(|group| group.observer());
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

#[doc = include_str!("reversible.md")]
#[proc_macro_derive(Reversible, attributes(reversible))]
pub fn derive_reversible(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let expanded = Group::of_members(&input).map(|group| group.reversible());
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

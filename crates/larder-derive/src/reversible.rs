//! `impl Reversible`: a struct as a group of its fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use crate::group::{Field, Group};
use crate::words;

impl Group {
    /// The code that `#[derive(Reversible)]` makes. A field that cannot go back is an error at its type.
    pub(crate) fn reversible(&self) -> TokenStream {
        let (mut generics, larder) = (self.generics.clone(), &self.larder);
        for Field { ty, .. } in &self.fields {
            if words::mentions_types(&self.generics, ty) {
                let predicates = &mut generics.make_where_clause().predicates;
                predicates.push(parse_quote!(#ty: #larder::track::Reversible));
            }
        }
        let name = &self.name;
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let members = self.fields.iter().map(|Field { member, ty, .. }| {
            quote!(<#ty as #larder::track::Reversible>::members(&mut self.#member, each)?;)
        });
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #larder::track::Reversible for #name #arguments #clause {
                fn members(
                    &mut self,
                    each: &mut #larder::track::Each<'_>,
                ) -> ::core::result::Result<(), #larder::track::TrackError> {
                    #(#members)*
                    ::core::result::Result::Ok(())
                }
            }
        }
    }
}

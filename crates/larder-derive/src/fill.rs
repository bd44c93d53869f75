//! `impl Fill`: what holes hold.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Generics, Member, parse_quote};

use crate::description::{Description, Field};
use crate::words;

impl Description {
    /// Adds what `Fill` asks of the struct's parameters.
    pub(crate) fn ask_for_fill(&self, generics: &mut Generics) {
        let soa = &self.soa;
        for Field { ty, .. } in self.fields.iter().filter(|field| field.fill.is_none()) {
            if words::mentions_types(&self.generics, ty) {
                generics.make_where_clause().predicates.push(parse_quote!(#ty: #soa::Fill));
            }
        }
    }

    /// `impl Fill`, unless it is not to be.
    pub(crate) fn fill_impl(&self) -> Option<TokenStream> {
        if !self.has_fill {
            return None;
        }
        let (name, soa) = (&self.name, &self.soa);
        let mut generics = self.generics.clone();
        self.ask_for_fill(&mut generics);
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let fields = self.fields.iter().map(|Field { member, ty, span, fill, .. }| match fill {
            Some(fill) => quote!(#member: #fill),
            None => quote_spanned!(*span=> #member: <#ty as #soa::Fill>::FILL),
        });
        Some(quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #soa::Fill for #name #arguments #clause {
                const FILL: Self = #name { #(#fields),* };
            }
        })
    }

    /// That lanes are of plain data, said of each field by its name where its type can be named
    /// outside of the struct. (Else it is said when the container is compiled.)
    pub(crate) fn lanes_are_plain(&self) -> Option<TokenStream> {
        if self.lanes.is_none() || !self.generics.params.is_empty() {
            return None;
        }
        let checks = self.fields.iter().map(|Field { member, ty, span, .. }| {
            let name = match member {
                Member::Named(name) => name.unraw(),
                Member::Unnamed(index) => format_ident!("_{}", index.index),
            };
            let name = name.to_string();
            let message = format!(
                "lanes are for plain data, but the field `{}` needs `Drop`: remove `lanes`, or the field",
                name.trim_start_matches('_'),
            );
            quote_spanned!(*span=>
                #[allow(deprecated)]
                const _: () = ::core::assert!(!::core::mem::needs_drop::<#ty>(), #message);
            )
        });
        Some(quote!(#(#checks)*))
    }
}

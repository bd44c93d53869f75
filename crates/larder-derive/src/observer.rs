//! `impl Observer`: a struct of observers is one, and is edited field by field.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::parse_quote;

use crate::group::{Field, Group};
use crate::traits::plain_name;

impl Group {
    /// The code that `#[derive(Observer)]` makes.
    pub(crate) fn observer(&self) -> TokenStream {
        let (observer, blind) = (self.observer_impl(), self.blind_impl());
        let (edited, edit) = (self.edited_struct(), self.edit_impl());
        quote!(#observer #blind #edited #edit)
    }

    /// `impl Observer`: each phase is that of all fields, in their order.
    fn observer_impl(&self) -> TokenStream {
        let (name, container, larder) = (&self.name, &self.container, &self.larder);
        let track = &quote!(#larder::track);
        let observer = &quote!(#track::Observer<#container>);
        let mut generics = self.bound(self.generics.clone(), observer);
        generics.params.push(parse_quote!(#container: #track::Track));
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let result = quote!(::core::result::Result);
        let refused = &quote!(#result<(), #track::Refusal<#container::Key>>);
        let call = |method: &str, this: TokenStream, arguments: TokenStream| -> Vec<TokenStream> {
            let method = format_ident!("{method}");
            let each = self.fields.iter();
            each.map(|Field { member, ty, .. }| {
                quote!(<#ty as #observer>::#method(#this.#member, #arguments))
            })
            .collect()
        };
        let (shared, exclusive) = (|| quote!(&self), || quote!(&mut self));
        // All are called in these phases even if one panics, as slices of observers say.
        let members = self.members();
        let all = &quote! {
            let all: &mut [&mut dyn #observer] = &mut [#(&mut self.#members),*];
        };
        let ignores = call("ignores", shared(), quote!(change));
        let carry = call("carry", shared(), quote!(objects, key, value));
        let prepare = call("prepare", exclusive(), quote!(objects, key, value));
        let commit = call("commit", exclusive(), quote!());
        let prepare_remove = call("prepare_remove", exclusive(), quote!(objects, key));
        let remove = call("remove", exclusive(), quote!(objects, key));
        let rebuild = call("rebuild", exclusive(), quote!(objects));
        let try_reserve = call("try_reserve", exclusive(), quote!(additional));
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #observer for #name #arguments #clause {
                #[inline]
                fn prepare(
                    &mut self,
                    objects: &#container,
                    key: #container::Key,
                    value: &#container::Value,
                ) -> #refused {
                    #(#prepare?;)*
                    #result::Ok(())
                }

                #[inline]
                fn ignores(&self, change: #track::Change) -> ::core::primitive::bool {
                    #(#ignores)&&*
                }

                #[inline]
                fn commit(&mut self) {
                    #(#commit;)*
                }

                #[inline]
                fn prepare_remove(
                    &mut self,
                    objects: &mut #track::Objects<'_, #container>,
                    key: #container::Key,
                ) {
                    #(#prepare_remove;)*
                }

                #[inline]
                fn remove(
                    &mut self,
                    objects: &mut #track::Objects<'_, #container>,
                    key: #container::Key,
                ) {
                    #(#remove;)*
                }

                #[inline]
                fn settle(&mut self, gone: ::core::option::Option<#container::Key>) {
                    #all
                    #track::Observer::<#container>::settle(all, gone);
                }

                fn rebuild(
                    &mut self,
                    objects: &mut #track::Objects<'_, #container>,
                ) -> #refused {
                    #(#rebuild?;)*
                    #result::Ok(())
                }

                #[inline]
                fn carry(
                    &self,
                    objects: &#container,
                    key: ::core::option::Option<#container::Key>,
                    value: &mut #container::Value,
                ) {
                    #(#carry;)*
                }

                fn try_reserve(
                    &mut self,
                    additional: ::core::primitive::usize,
                ) -> #result<(), #larder::TryReserveError> {
                    #(#try_reserve?;)*
                    #result::Ok(())
                }
            }
        }
    }

    /// `impl Blind`, of blind fields.
    fn blind_impl(&self) -> TokenStream {
        let (name, container, larder) = (&self.name, &self.container, &self.larder);
        let blind = quote!(#larder::track::Blind<#container>);
        let mut generics = self.bound(self.generics.clone(), &blind);
        generics.params.push(parse_quote!(#container: #larder::track::Track));
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #blind for #name #arguments #clause {}
        }
    }

    /// The struct through which the fields are edited, and its `Debug`.
    fn edited_struct(&self) -> TokenStream {
        let (visibility, larder, lifetime) = (&self.visibility, &self.larder, &self.lifetime);
        let name = format_ident!("{}Edited", self.name);
        let edit = quote!(#larder::track::Edit);
        let mut generics = self.bound_if_any(self.generics.clone(), &edit);
        generics = self.bound(generics, &quote!(#lifetime));
        generics.params.insert(0, parse_quote!(#lifetime));
        let (parameters, arguments, clause) = generics.split_for_impl();
        let fields = self.fields.iter().map(|Field { member, visibility, ty }| {
            let documentation = format!("Edits the field `{}`.", plain_name(member));
            let ty = quote!(<#ty as #edit>::Edited<#lifetime>);
            let name = (!self.is_tuple).then(|| quote!(#member:));
            quote!(#[doc = #documentation] #visibility #name #ty)
        });
        let declared = if self.is_tuple {
            quote!(#parameters (#(#fields),*) #clause;)
        } else {
            quote!(#parameters #clause { #(#fields),* })
        };
        let documentation = format!("Edits the fields of a [`{}`].", self.name.unraw());
        let shown = name.unraw().to_string();
        quote! {
            #[doc = #documentation]
            #[allow(dead_code, deprecated, private_bounds, unused_lifetimes)]
            #visibility struct #name #declared

            #[automatically_derived]
            #[allow(deprecated, unused_lifetimes)]
            impl #parameters ::core::fmt::Debug for #name #arguments #clause {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(#shown).finish_non_exhaustive()
                }
            }
        }
    }

    /// `impl Edit`, of fields that are edited.
    fn edit_impl(&self) -> TokenStream {
        let (name, larder, lifetime) = (&self.name, &self.larder, &self.lifetime);
        let edited = format_ident!("{}Edited", self.name);
        let edit = quote!(#larder::track::Edit);
        let generics = self.bound_if_any(self.generics.clone(), &edit);
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let mut of_edited = self.generics.clone();
        of_edited.params.insert(0, parse_quote!(#lifetime));
        let (_, arguments_of_edited, _) = of_edited.split_for_impl();
        let fields = self.fields.iter().map(
            |Field { member, ty, .. }| quote!(#member: <#ty as #edit>::edited(&mut self.#member)),
        );
        quote! {
            #[automatically_derived]
            #[allow(deprecated, unused_lifetimes)]
            impl #parameters #edit for #name #arguments #clause {
                type Edited<#lifetime> = #edited #arguments_of_edited where Self: #lifetime;

                #[inline]
                fn edited(&mut self) -> Self::Edited<'_> {
                    #edited { #(#fields),* }
                }
            }
        }
    }
}

//! The implementations of the generated structs: each exists where those of the fields do.
//! (The compiler accepts a bound that can never hold, such as `&'a NotDebug: Debug`, if it names a lifetime: the struct
//! then lacks that implementation.)

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{Generics, Member, parse_quote};

use crate::description::{Column, Description, Kind};
use crate::form::Form;

/// A member's name as its documentation and `Debug` have it.
pub(crate) fn plain_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The generics, where all these types implement that.
fn with(mut generics: Generics, bounds: impl Iterator<Item = TokenStream>) -> Generics {
    let bounds = bounds.map(|bound| -> syn::WherePredicate { parse_quote!(#bound) });
    generics.make_where_clause().predicates.extend(bounds);
    generics
}

/// `impl Debug`, of members each said as an expression.
fn debug(
    name: &impl ToTokens,
    generics: &Generics,
    ty: &TokenStream,
    members: impl Iterator<Item = (Member, TokenStream)>,
) -> TokenStream {
    let (parameters, _, clause) = generics.split_for_impl();
    let name = name.to_token_stream().to_string();
    let mut builder = quote!(debug_struct);
    let members = members.map(|(member, value)| match &member {
        Member::Named(_) => {
            let name = plain_name(&member);
            quote!(.field(#name, &#value))
        }
        Member::Unnamed(_) => {
            builder = quote!(debug_tuple);
            quote!(.field(&#value))
        }
    });
    let members: Vec<_> = members.collect();
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #parameters ::core::fmt::Debug for #ty #clause {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.#builder(#name)#(#members)*.finish()
            }
        }
    }
}

/// `impl PartialEq`, of members each said as two expressions, and `Eq`. `where_all` adds what the
/// members are to implement.
fn equal(
    where_all: impl Fn(TokenStream) -> Generics,
    ty: &TokenStream,
    members: impl Iterator<Item = (TokenStream, TokenStream)>,
) -> TokenStream {
    let [partial, total] = [quote!(::core::cmp::PartialEq), quote!(::core::cmp::Eq)].map(where_all);
    let (parameters, _, partial) = partial.split_for_impl();
    let (_, _, total) = total.split_for_impl();
    let members = members.map(|(left, right)| quote!(::core::cmp::PartialEq::eq(&#left, &#right)));
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #parameters ::core::cmp::PartialEq for #ty #partial {
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                #(#members)&&*
            }
        }

        #[automatically_derived]
        #[allow(deprecated)]
        impl #parameters ::core::cmp::Eq for #ty #total {}
    }
}

impl Description {
    /// Returns the implementations for the struct of a form.
    pub(crate) fn form_traits(&self, form: Form) -> TokenStream {
        let debug = self.form_debug(form);
        let copy = form.is_shared().then(|| self.form_copy(form));
        let of_ref = (form == Form::Ref).then(|| {
            let (equal, cloned) = (self.ref_equal(), self.ref_cloned());
            quote!(#equal #cloned)
        });
        quote!(#copy #debug #of_ref)
    }

    fn form_copy(&self, form: Form) -> TokenStream {
        let (generics, ty) = (self.form_generics(form), self.form_of_its_own(form));
        let (parameters, _, clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters ::core::clone::Clone for #ty #clause {
                #[inline(always)]
                fn clone(&self) -> Self {
                    *self
                }
            }

            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters ::core::marker::Copy for #ty #clause {}
        }
    }

    fn form_debug(&self, form: Form) -> TokenStream {
        let members = self.members(form);
        let bounds = members.iter().map(|member| {
            let ty = &member.ty;
            quote!(#ty: ::core::fmt::Debug)
        });
        let generics = with(self.form_generics(form), bounds);
        let values = members.iter().map(|member| {
            let member = member.member;
            (member.clone(), quote!(self.#member))
        });
        debug(&self.form_name(form).unraw(), &generics, &self.form_of_its_own(form), values)
    }

    fn ref_equal(&self) -> TokenStream {
        let members = self.members(Form::Ref);
        let where_all = |bound: TokenStream| {
            let types = members.iter().map(|member| &member.ty);
            with(self.form_generics(Form::Ref), types.map(|ty| quote!(#ty: #bound)))
        };
        let values = members.iter().map(|member| {
            let member = member.member;
            (quote!(self.#member), quote!(other.#member))
        });
        equal(where_all, &self.form_of_its_own(Form::Ref), values)
    }

    /// The value of references, cloned field by field.
    fn ref_cloned(&self) -> TokenStream {
        let (name, soa, members) = (&self.name, &self.soa, self.members(Form::Ref));
        let types = self.fields.iter().map(|field| &field.ty);
        let bounds = members.iter().zip(types.clone()).map(|(member, ty)| {
            let reference = &member.ty;
            quote!(#reference: #soa::derived::Cloned<#ty>)
        });
        let generics = with(self.form_generics(Form::Ref), bounds);
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let ty = self.form_of_its_own(Form::Ref);
        let values = members.iter().zip(types).map(|(member, ty)| {
            let member = member.member;
            quote!(#member: #soa::derived::Cloned::<#ty>::cloned(self.#member))
        });
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #soa::derived::Cloned<#name #arguments> for #ty #clause {
                #[inline]
                fn cloned(self) -> #name #arguments {
                    #name { #(#values),* }
                }
            }
        }
    }

    /// The structs of groups, and what they implement.
    pub(crate) fn groups(&self) -> TokenStream {
        self.columns.iter().map(|column| self.group(column)).collect()
    }

    fn group(&self, column: &Column) -> TokenStream {
        let Kind::Group { ty: name, generics, fields } = &column.kind else {
            return TokenStream::new();
        };
        let (visibility, ty) = (&self.visibility, &column.ty);
        let (parameters, _, clause) = generics.split_for_impl();
        let fields: Vec<_> = fields.iter().map(|&field| &self.fields[field]).collect();
        let declared = fields.iter().map(|field| {
            let (visibility, member, ty) = (&field.visibility, &field.member, &field.ty);
            let documentation = format!("The field `{}`.", plain_name(member));
            quote!(#[doc = #documentation] #visibility #member: #ty)
        });
        let documentation = format!(
            "The fields of a [`{}`] in the group `{}`, side by side.",
            self.name,
            plain_name(&column.member)
        );
        let lifetime = &self.lifetime;
        let all = |bound: TokenStream| {
            let types = fields.iter().map(|field| &field.ty);
            with(generics.clone(), types.map(|ty| quote!(for<#lifetime> &#lifetime #ty: #bound)))
        };
        let values = fields.iter().map(|field| {
            let member = &field.member;
            (member.clone(), quote!(&self.#member))
        });
        let pairs = fields.iter().map(|field| {
            let member = &field.member;
            (quote!(&self.#member), quote!(&other.#member))
        });
        let debug = debug(&name.unraw(), &all(quote!(::core::fmt::Debug)), ty, values);
        let equal = equal(all, ty, pairs);
        let clone = self.group_clone(column);
        quote! {
            #[doc = #documentation]
            #[allow(dead_code, deprecated)]
            #visibility struct #name #parameters #clause { #(#declared),* }
            #clone
            #debug
            #equal
        }
    }

    fn group_clone(&self, column: &Column) -> TokenStream {
        let Kind::Group { ty: name, generics, fields } = &column.kind else {
            return TokenStream::new();
        };
        let (soa, lifetime, ty) = (&self.soa, &self.lifetime, &column.ty);
        let fields = fields.iter().map(|&field| &self.fields[field]);
        let bounds = fields.clone().map(|field| {
            let ty = &field.ty;
            quote!(for<#lifetime> &#lifetime #ty: #soa::derived::Cloned<#ty>)
        });
        let generics = with(generics.clone(), bounds);
        let (parameters, _, clause) = generics.split_for_impl();
        let values = fields.map(|field| {
            let (member, ty) = (&field.member, &field.ty);
            quote!(#member: #soa::derived::Cloned::<#ty>::cloned(&self.#member))
        });
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters ::core::clone::Clone for #ty #clause {
                #[inline]
                fn clone(&self) -> Self {
                    #name { #(#values),* }
                }
            }
        }
    }
}

//! `impl Soa`: the shape, and how a value becomes one and comes back.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Generics, Member, parse_quote};

use crate::attributes::Lanes;
use crate::description::{Column, Description, Kind};
use crate::form::Form;

/// A list of two or more as pairs, to the right: `(a, (b, c))`.
pub(crate) fn pairs(
    items: impl DoubleEndedIterator<Item = TokenStream>,
    pair: impl Fn(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    let paired = items.rev().reduce(|rest, item| pair(item, rest));
    paired.unwrap_or_default()
}

/// Pairs of values, or of patterns.
pub(crate) fn tuples(items: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    pairs(items, |first, rest| quote!((#first, #rest)))
}

impl Description {
    /// The struct's own parameters, with what the implementation of `Soa` asks of them.
    pub(crate) fn soa_generics(&self) -> Generics {
        let (mut generics, soa) = (self.generics.clone(), &self.soa);
        for field in self.nested_generics() {
            let ty = &field.ty;
            generics.make_where_clause().predicates.push(parse_quote!(#ty: #soa::Soa));
        }
        if self.lanes.is_some() {
            self.ask_for_fill(&mut generics);
        }
        generics
    }

    /// The type that says which columns there are.
    fn shape(&self) -> TokenStream {
        let soa = &self.soa;
        let columns = self.columns.iter().map(|Column { ty, align, span, .. }| (ty, align, *span));
        let nested = self.columns.iter().map(Column::is_nested);
        let leaves = columns.zip(nested).map(|((ty, align, span), is_nested)| {
            if is_nested {
                quote_spanned!(span=> #soa::derived::Nest<#ty>)
            } else if *align == 1 {
                quote_spanned!(span=> #soa::derived::Leaf<#ty>)
            } else {
                quote_spanned!(span=> #soa::derived::Leaf<#ty, #align>)
            }
        });
        pairs(leaves, |first, rest| quote!(#soa::derived::Pair<#first, #rest>))
    }

    fn arrangement(&self) -> TokenStream {
        let soa = &self.soa;
        match self.lanes.as_ref().map(|lanes| &lanes.value) {
            None => quote!(#soa::Split),
            Some(Lanes::Of(lanes)) => quote!(#soa::Lanes<#lanes>),
            Some(Lanes::Block) => {
                let shape = self.shape();
                quote!(#soa::Lanes<{ #soa::derived::lanes_of_a_block::<#shape>() }>)
            }
        }
    }

    /// Asserts that a block has four lanes at least, with an error at the attribute that asked for it. (There are no
    /// groups of fewer.)
    pub(crate) fn lanes_fill_a_block(&self) -> Option<TokenStream> {
        let lanes = self.lanes.as_ref().filter(|lanes| matches!(lanes.value, Lanes::Block))?;
        let (soa, shape) = (&self.soa, self.shape());
        let message = format!(
            "fewer than four values of `{}` fill a block of 16 KiB: use `lanes = 4`, or remove `lanes`",
            self.name.unraw(),
        );
        Some(quote_spanned!(lanes.span=>
            #[allow(deprecated)]
            const _: () =
                ::core::assert!(#soa::derived::lanes_of_a_block::<#shape>() >= 4, #message);
        ))
    }

    /// `impl Soa`.
    pub(crate) fn soa_impl(&self) -> TokenStream {
        let (name, soa) = (&self.name, &self.soa);
        let generics = self.soa_generics();
        let (parameters, _, clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let (shape, arrangement) = (self.shape(), self.arrangement());
        let types = Form::ALL.into_iter().map(|form| self.type_of_form(form));
        let names = self.columns.iter().map(|column| match &column.member {
            Member::Named(name) => name.unraw().to_string(),
            Member::Unnamed(number) => number.index.to_string(),
        });
        let (conversions, accesses) = (self.conversions(), self.accesses());
        let lifetime = &self.lifetime;
        let mut generics_of_forms = generics.clone();
        generics_of_forms.params.insert(0, parse_quote!(#lifetime));
        let (parameters_of_forms, ..) = generics_of_forms.split_for_impl();
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #soa::Soa for #name #arguments #clause {
                type Shape = #shape;
                const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
                type Arrangement = #arrangement;
                type View = Self;
            }

            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters_of_forms #soa::view::Forms<#lifetime, Self> for #name #arguments #clause {
                #(#types)*
            }

            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #soa::view::View<Self> for #name #arguments #clause {
                #conversions
                #accesses
            }
        }
    }

    /// That the struct has no `Drop`, which the compiler lets go unnoticed where all fields are `Copy`:
    /// it would run whenever a value is taken apart.
    pub(crate) fn without_drop(&self) -> TokenStream {
        let (name, soa) = (&self.name, &self.soa);
        let (parameters, arguments, clause) = self.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #soa::derived::WithoutDrop for #name #arguments #clause {}
        }
    }

    fn type_of_form(&self, form: Form) -> TokenStream {
        let (name, ty) = (format_ident!("{}", form.name()), self.form_of_its_own(form));
        let lanes = self.lane_parameter(form);
        quote!(type #name<#lanes> = #ty;)
    }

    /// `into_parts` and `from_parts`.
    fn conversions(&self) -> TokenStream {
        let soa = &self.soa;
        let whole = self.whole();
        let parts = tuples(self.columns.iter().map(|column| self.grouped(column)));
        quote! {
            #[inline(always)]
            fn into_parts(value: Self) -> #soa::view::Parts<Self> {
                let #whole = value;
                #parts
            }

            #[inline(always)]
            fn from_parts(#parts: #soa::view::Parts<Self>) -> Self {
                #whole
            }
        }
    }

    /// The struct itself, as a value or a pattern.
    pub(crate) fn whole(&self) -> TokenStream {
        let name = &self.name;
        let fields = self.fields.iter().map(|field| {
            let (member, variable) = (&field.member, &field.variable);
            quote!(#member: #variable)
        });
        quote!(#name { #(#fields),* })
    }

    /// The value of a column, as a value or a pattern.
    fn grouped(&self, column: &Column) -> TokenStream {
        let Kind::Group { ty, fields, .. } = &column.kind else {
            return column.variable.to_token_stream();
        };
        let fields = fields.iter().map(|&field| {
            let (member, variable) = (&self.fields[field].member, &self.fields[field].variable);
            quote!(#member: #variable)
        });
        quote!(#ty { #(#fields),* })
    }

    /// The struct of a form as a pattern, or made of variables.
    fn form_of_variables(&self, form: Form) -> TokenStream {
        let name = self.form_name(form);
        let members = self.members(form);
        let members = members.iter().map(|member| {
            let (member, variable) = (member.member, member.variable);
            quote!(#member: #variable)
        });
        quote!(#name { #(#members),* })
    }

    /// Returns the code that makes the struct of a form out of the borrows of the shape, and that takes a struct of
    /// columns apart again.
    pub(crate) fn form_parts(&self, form: Form) -> TokenStream {
        let (lifetime, soa, value) = (&self.lifetime, &self.soa, self.value());
        let generics = self.form_generics_with_fill(form);
        let (parameters, _, clause) = generics.split_for_impl();
        let (ty, shape) = (self.form_of_its_own(form), format_ident!("{}", form.name()));
        let argument = self.lane_argument(form);
        let whole = self.form_of_variables(form);
        let parts = tuples(self.columns.iter().map(|column| {
            // A reference to a group is taken apart by its pattern, to references to its fields.
            if form.is_of_fields() {
                self.grouped(column)
            } else {
                column.variable.to_token_stream()
            }
        }));
        let into_parts = (!form.is_of_fields()).then(|| {
            quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl #parameters #soa::view::IntoFields for #ty #clause {
                    #[inline(always)]
                    fn into_parts(self) -> Self::Parts {
                        let #whole = self;
                        #parts
                    }
                }
            }
        });
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #soa::view::FromFields for #ty #clause {
                type Parts =
                    <<#value as #soa::Soa>::Shape as #soa::derived::Shape>::#shape<#lifetime, #argument>;

                #[inline(always)]
                fn from_parts(#parts: Self::Parts) -> Self {
                    #whole
                }
            }

            #into_parts
        }
    }
}

//! The work of the reference structs' methods, column by column: functions of `Soa`, so that a nested field's columns
//! are reached by its own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::description::{Column, Description, Field};
use crate::form::Form;
use crate::shape::{pairs, tuples};

fn local(name: &str, of: &Ident) -> Ident {
    Ident::new(&format!("{name}_{of}"), Span::mixed_site())
}

impl Description {
    /// All of them.
    pub(crate) fn accesses(&self) -> TokenStream {
        let references = [self.lend(), self.ref_of_mut(), self.ref_reborrow(), self.ref_replace()];
        let shared = [self.len(), self.get(), self.split_at(), self.iter()];
        let mutable = [self.get_mut(), self.split_at_mut(), self.iter_mut()];
        let between = [
            self.between(Form::ColumnsMut, Form::Columns, "columns_of_mut"),
            self.between(Form::ColumnsMut, Form::ColumnsMut, "columns_reborrow"),
            self.between(Form::LanesMut, Form::Columns, "columns_of_lanes_mut"),
            self.between(Form::LanesMut, Form::ColumnsMut, "columns_mut_of_lanes_mut"),
            self.columns_of_lanes(),
        ];
        quote!(#(#references)* #(#shared)* #(#mutable)* #(#between)*)
    }

    /// For each column one of two expressions, by its type.
    fn of_columns<'d>(
        &'d self,
        field: impl Fn(&'d Column) -> TokenStream + 'd,
        nested: impl Fn(&'d Column, TokenStream) -> TokenStream + 'd,
    ) -> impl DoubleEndedIterator<Item = TokenStream> + 'd {
        self.columns.iter().map(move |column| {
            let (ty, soa) = (&column.ty, &self.soa);
            if column.is_nested() {
                nested(column, quote_spanned!(column.span=> <<#ty as #soa::Soa>::View as #soa::view::View<#ty>>))
            } else {
                field(column)
            }
        })
    }

    /// The struct of a form as a pattern: each member a variable.
    fn pattern(&self, form: Form) -> TokenStream {
        let name = self.form_name(form);
        let members = self.members(form);
        let members = members.iter().map(|member| {
            let (member, variable) = (member.member, member.variable);
            quote!(#member: #variable)
        });
        quote!(#name { #(#members),* })
    }

    /// The struct of references, each of them made of one in `from`.
    fn of_fields(
        &self,
        form: Form,
        each: impl Fn(&Field, Option<TokenStream>) -> TokenStream,
    ) -> TokenStream {
        let (name, soa) = (self.form_name(form), &self.soa);
        let fields = self.fields.iter().map(|field| {
            let (member, ty) = (&field.member, &field.ty);
            let made = each(
                field,
                field.is_nested.then(|| {
                    quote_spanned!(
                        field.span=> <<#ty as #soa::Soa>::View as #soa::view::View<#ty>>
                    )
                }),
            );
            quote!(#member: #made)
        });
        quote!(#name { #(#fields),* })
    }

    fn lend(&self) -> TokenStream {
        let soa = &self.soa;
        let made = self.of_fields(Form::Ref, |Field { member, .. }, nested| match nested {
            Some(soa) => quote!(#soa::lend(&value.#member)),
            None => quote!(&value.#member),
        });
        quote! {
            #[inline(always)]
            fn lend(value: &Self) -> #soa::view::Ref<'_, Self> {
                #made
            }
        }
    }

    fn ref_of_mut(&self) -> TokenStream {
        let (lifetime, shorter, soa) = (&self.lifetime, &self.shorter, &self.soa);
        let made = self.of_fields(Form::Ref, |Field { member, .. }, nested| match nested {
            Some(soa) => quote!(#soa::ref_of_mut(&from.#member)),
            None => quote!(&*from.#member),
        });
        quote! {
            #[inline(always)]
            fn ref_of_mut<#shorter, #lifetime: #shorter>(
                from: &#shorter #soa::view::RefMut<#lifetime, Self>,
            ) -> #soa::view::Ref<#shorter, Self>
            where
                Self: #lifetime,
            {
                #made
            }
        }
    }

    fn ref_reborrow(&self) -> TokenStream {
        let (lifetime, shorter, soa) = (&self.lifetime, &self.shorter, &self.soa);
        let made = self.of_fields(Form::RefMut, |Field { member, .. }, nested| match nested {
            Some(soa) => quote!(#soa::ref_reborrow(&mut from.#member)),
            None => quote!(&mut *from.#member),
        });
        quote! {
            #[inline(always)]
            fn ref_reborrow<#shorter, #lifetime: #shorter>(
                from: &#shorter mut #soa::view::RefMut<#lifetime, Self>,
            ) -> #soa::view::RefMut<#shorter, Self>
            where
                Self: #lifetime,
            {
                #made
            }
        }
    }

    fn ref_replace(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let (name, whole) = (&self.name, self.whole());
        let fields = self.fields.iter().map(|Field { member, ty, variable, is_nested, span, .. }| {
            if *is_nested {
                quote_spanned!(*span=> #member: <<#ty as #soa::Soa>::View as #soa::view::View<#ty>>::ref_replace(&mut to.#member, #variable))
            } else {
                quote!(#member: ::core::mem::replace(&mut *to.#member, #variable))
            }
        });
        quote! {
            #[inline]
            fn ref_replace<#lifetime>(to: &mut #soa::view::RefMut<#lifetime, Self>, value: Self) -> Self
            where
                Self: #lifetime,
            {
                let #whole = value;
                #name { #(#fields),* }
            }
        }
    }

    fn len(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let field = |Column { member, .. }: &Column| quote!(columns.#member.len());
        let nested =
            |Column { member, .. }: &Column, soa| quote!(#soa::columns_len(columns.#member));
        let len = self.of_columns(field, nested).next();
        quote! {
            #[inline(always)]
            fn columns_len<#lifetime>(columns: #soa::view::Columns<#lifetime, Self>) -> ::core::primitive::usize
            where
                Self: #lifetime,
            {
                #len
            }
        }
    }

    fn get(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let field = |Column { member, .. }: &Column| quote!(columns.#member.get(index)?);
        let nested = |Column { member, .. }: &Column, soa| quote!(#soa::columns_get(columns.#member, index)?);
        let parts = tuples(self.of_columns(field, nested));
        quote! {
            #[inline]
            fn columns_get<#lifetime>(
                columns: #soa::view::Columns<#lifetime, Self>,
                index: ::core::primitive::usize,
            ) -> ::core::option::Option<#soa::view::Ref<#lifetime, Self>>
            where
                Self: #lifetime,
            {
                ::core::option::Option::Some(Self::make_ref(#parts))
            }
        }
    }

    fn get_mut(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let pattern = self.pattern(Form::ColumnsMut);
        let field = |Column { variable, .. }: &Column| quote!(#variable.get_mut(index)?);
        let nested = |Column { variable, .. }: &Column, soa| quote!(#soa::columns_get_mut(#variable, index)?);
        let parts = tuples(self.of_columns(field, nested));
        quote! {
            #[inline]
            fn columns_get_mut<#lifetime>(
                columns: #soa::view::ColumnsMut<#lifetime, Self>,
                index: ::core::primitive::usize,
            ) -> ::core::option::Option<#soa::view::RefMut<#lifetime, Self>>
            where
                Self: #lifetime,
            {
                let #pattern = columns;
                ::core::option::Option::Some(Self::make_ref_mut(#parts))
            }
        }
    }

    fn split_at(&self) -> TokenStream {
        self.split(Form::Columns, "columns_split_at", |variable| quote!(#variable.split_at(mid)))
    }

    fn split_at_mut(&self) -> TokenStream {
        self.split(
            Form::ColumnsMut,
            "columns_split_at_mut",
            |variable| quote!(#variable.split_at_mut(mid)),
        )
    }

    fn split(
        &self,
        form: Form,
        function: &str,
        slice: impl Fn(&Ident) -> TokenStream,
    ) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let (name, pattern) = (format_ident!("{}", form.name()), self.pattern(form));
        let (function, maker) = (format_ident!("{function}"), format_ident!("{}", form.maker()));
        let (left, right): (Vec<_>, Vec<_>) = self
            .columns
            .iter()
            .map(|Column { variable, .. }| (local("left", variable), local("right", variable)))
            .unzip();
        let field = |Column { variable, .. }: &Column| slice(variable);
        let nested =
            |Column { variable, .. }: &Column, soa| quote!(#soa::#function(#variable, mid));
        let halves = self.of_columns(field, nested);
        let lefts = tuples(left.iter().map(|left| quote!(#left)));
        let rights = tuples(right.iter().map(|right| quote!(#right)));
        quote! {
            #[inline]
            #[track_caller]
            fn #function<#lifetime>(
                columns: #soa::view::#name<#lifetime, Self>,
                mid: ::core::primitive::usize,
            ) -> (#soa::view::#name<#lifetime, Self>, #soa::view::#name<#lifetime, Self>)
            where
                Self: #lifetime,
            {
                let #pattern = columns;
                #(let (#left, #right) = #halves;)*
                (Self::#maker(#lefts), Self::#maker(#rights))
            }
        }
    }

    fn iter(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let iterator = self.zipped(Form::Columns, "columns_iter", |column| quote!(#column.iter()));
        quote! {
            #[inline]
            fn columns_iter<#lifetime>(
                columns: #soa::view::Columns<#lifetime, Self>,
            ) -> impl ::core::iter::DoubleEndedIterator<Item = #soa::view::Ref<#lifetime, Self>>
                + ::core::iter::ExactSizeIterator
                + ::core::clone::Clone
            where
                Self: #lifetime,
            {
                ::core::iter::Iterator::map({ #iterator }, Self::make_ref)
            }
        }
    }

    fn iter_mut(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let iterator =
            self.zipped(Form::ColumnsMut, "columns_iter_mut", |column| quote!(#column.iter_mut()));
        quote! {
            #[inline]
            fn columns_iter_mut<#lifetime>(
                columns: #soa::view::ColumnsMut<#lifetime, Self>,
            ) -> impl ::core::iter::DoubleEndedIterator<Item = #soa::view::RefMut<#lifetime, Self>>
                + ::core::iter::ExactSizeIterator
            where
                Self: #lifetime,
            {
                ::core::iter::Iterator::map({ #iterator }, Self::make_ref_mut)
            }
        }
    }

    /// The columns of `columns`, zipped to pairs; before it they are taken apart.
    fn zipped(
        &self,
        form: Form,
        function: &str,
        slice: impl Fn(&Ident) -> TokenStream,
    ) -> TokenStream {
        let (pattern, function) = (self.pattern(form), format_ident!("{function}"));
        let field = |Column { variable, .. }: &Column| slice(variable);
        let nested = |Column { variable, .. }: &Column, soa| quote!(#soa::#function(#variable));
        let iterators = pairs(
            self.of_columns(field, nested),
            |first, rest| quote!(::core::iter::Iterator::zip(#first, #rest)),
        );
        quote!(let #pattern = columns; #iterators)
    }

    /// One form borrowed as another, through a reference.
    fn between(&self, from: Form, to: Form, function: &str) -> TokenStream {
        let (lifetime, shorter, soa) = (&self.lifetime, &self.shorter, &self.soa);
        let function = format_ident!("{function}");
        let (from_name, to_name) =
            (format_ident!("{}", from.name()), format_ident!("{}", to.name()));
        let maker = format_ident!("{}", to.maker());
        let mutable = (!to.is_shared()).then(|| quote!(mut));
        let field = |Column { member, .. }: &Column| quote!(&#mutable from.#member[..]);
        let nested =
            |Column { member, .. }: &Column, soa| quote!(#soa::#function(&#mutable from.#member));
        let parts = tuples(self.of_columns(field, nested));
        let parameter = self.lane_parameter(from);
        let argument = self.lane_argument(from);
        quote! {
            #[inline(always)]
            fn #function<#shorter, #lifetime: #shorter, #parameter>(
                from: &#shorter #mutable #soa::view::#from_name<#lifetime, Self, #argument>,
            ) -> #soa::view::#to_name<#shorter, Self>
            where
                Self: #lifetime,
            {
                Self::#maker(#parts)
            }
        }
    }

    fn columns_of_lanes(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let parameter = self.lane_parameter(Form::Lanes);
        let argument = self.lane_argument(Form::Lanes);
        let field = |Column { member, .. }: &Column| quote!(&lanes.#member[..]);
        let nested =
            |Column { member, .. }: &Column, soa| quote!(#soa::columns_of_lanes(lanes.#member));
        let parts = tuples(self.of_columns(field, nested));
        quote! {
            #[inline(always)]
            fn columns_of_lanes<#lifetime, #parameter>(
                lanes: #soa::view::Lanes<#lifetime, Self, #argument>,
            ) -> #soa::view::Columns<#lifetime, Self>
            where
                Self: #lifetime,
            {
                Self::make_columns(#parts)
            }
        }
    }
}

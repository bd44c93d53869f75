//! The methods of a struct's view that lend a value, replace one, and lend anew what borrows exclusively. They ask the
//! views of nested fields.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use crate::description::{Description, Field};
use crate::form::Form;

impl Description {
    /// All of them.
    pub(crate) fn accesses(&self) -> TokenStream {
        let (lend, replace) = (self.lend(), self.ref_replace());
        let borrowed = [
            self.borrowed(Form::RefMut, Form::Ref, "ref_of_mut"),
            self.borrowed(Form::RefMut, Form::RefMut, "ref_reborrow"),
            self.borrowed(Form::ColumnsMut, Form::Columns, "columns_of_mut"),
            self.borrowed(Form::ColumnsMut, Form::ColumnsMut, "columns_reborrow"),
            self.borrowed(Form::LanesMut, Form::Lanes, "lanes_of_mut"),
            self.borrowed(Form::LanesMut, Form::LanesMut, "lanes_reborrow"),
        ];
        quote!(#lend #replace #(#borrowed)*)
    }

    /// The view of a nested field's type.
    fn view_of(&self, ty: &TokenStream, span: Span) -> TokenStream {
        let soa = &self.soa;
        quote_spanned!(span=> <<#ty as #soa::Soa>::View as #soa::view::View<#ty>>)
    }

    fn lend(&self) -> TokenStream {
        let (name, soa) = (self.form_name(Form::Ref), &self.soa);
        let fields = self.fields.iter().map(|Field { member, ty, is_nested, span, .. }| {
            if *is_nested {
                let view = self.view_of(ty, *span);
                quote!(#member: #view::lend(&value.#member))
            } else {
                quote!(#member: &value.#member)
            }
        });
        quote! {
            #[inline(always)]
            fn lend(value: &Self) -> #soa::view::Ref<'_, Self> {
                #name { #(#fields),* }
            }
        }
    }

    fn ref_replace(&self) -> TokenStream {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let (name, whole) = (&self.name, self.whole());
        let fields =
            self.fields.iter().map(|Field { member, ty, variable, is_nested, span, .. }| {
                if *is_nested {
                    let view = self.view_of(ty, *span);
                    quote!(#member: #view::ref_replace(&mut to.#member, #variable))
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

    /// One form borrowed as another, through a reference.
    fn borrowed(&self, from: Form, to: Form, function: &str) -> TokenStream {
        let (lifetime, shorter, soa) = (&self.lifetime, &self.shorter, &self.soa);
        let function = format_ident!("{function}");
        let (from_name, to_name) =
            (format_ident!("{}", from.name()), format_ident!("{}", to.name()));
        let name = self.form_name(to);
        let mutable = (!to.is_shared()).then(|| quote!(mut));
        let member = |member: &Member, ty: &TokenStream, span: Span, is_nested: bool| {
            if is_nested {
                let view = self.view_of(ty, span);
                quote!(#member: #view::#function(&#mutable from.#member))
            } else {
                quote!(#member: &#mutable *from.#member)
            }
        };
        let members: Vec<_> = if from.is_of_fields() {
            let fields = self.fields.iter();
            fields
                .map(|field| member(&field.member, &field.ty, field.span, field.is_nested))
                .collect()
        } else {
            let columns = self.columns.iter();
            columns
                .map(|column| member(&column.member, &column.ty, column.span, column.is_nested()))
                .collect()
        };
        let parameter = self.lane_parameter(from);
        let argument = self.lane_argument(from);
        quote! {
            #[inline(always)]
            fn #function<#shorter, #lifetime: #shorter, #parameter>(
                from: &#shorter #mutable #soa::view::#from_name<#lifetime, Self, #argument>,
            ) -> #soa::view::#to_name<#shorter, Self, #argument>
            where
                Self: #lifetime,
            {
                #name { #(#members),* }
            }
        }
    }
}

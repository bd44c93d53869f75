//! The six forms in which fields are borrowed, each a struct beside the one that is derived for.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::{GenericParam, Generics, TypeParam, parse_quote};

use crate::description::{Column, Description, Field};
use crate::traits::plain_name;

/// The parts that a generated struct has of each field or column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Ref,
    RefMut,
    Columns,
    ColumnsMut,
    Lanes,
    LanesMut,
}

impl Form {
    pub(crate) const ALL: [Self; 6] =
        [Self::Ref, Self::RefMut, Self::Columns, Self::ColumnsMut, Self::Lanes, Self::LanesMut];

    /// Returns the end of the struct's name; the type of `Soa` and of its shape has this name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ref => "Ref",
            Self::RefMut => "RefMut",
            Self::Columns => "Columns",
            Self::ColumnsMut => "ColumnsMut",
            Self::Lanes => "Lanes",
            Self::LanesMut => "LanesMut",
        }
    }

    /// Returns a description of the struct, for its documentation.
    const fn meaning(self) -> &'static str {
        match self {
            Self::Ref => "A reference to each field of a",
            Self::RefMut => "A mutable reference to each field of a",
            Self::Columns => "Each column of many values as a slice, of",
            Self::ColumnsMut => "Each column of many values as a mutable slice, of",
            Self::Lanes => "A group of values, as a reference to an array of each column, of",
            Self::LanesMut => {
                "A group of values, as a mutable reference to an array of each column, of"
            }
        }
    }

    /// Returns a description of a member of the struct, for its documentation.
    const fn meaning_of_member(self) -> &'static str {
        match self {
            Self::Ref | Self::RefMut => "The field",
            Self::Columns | Self::ColumnsMut => "The column",
            Self::Lanes | Self::LanesMut => "The lanes",
        }
    }

    /// Returns whether it can be copied.
    pub(crate) const fn is_shared(self) -> bool {
        matches!(self, Self::Ref | Self::Columns | Self::Lanes)
    }

    /// Returns whether it has the number of lanes as a parameter.
    pub(crate) const fn has_lanes(self) -> bool {
        matches!(self, Self::Lanes | Self::LanesMut)
    }

    /// Returns whether its members are fields; otherwise they are columns, and a group is one.
    pub(crate) const fn is_of_fields(self) -> bool {
        matches!(self, Self::Ref | Self::RefMut)
    }
}

impl Description {
    /// The name of the struct of a form.
    pub(crate) fn form_name(&self, form: Form) -> Ident {
        format_ident!("{}{}", self.name, form.name())
    }

    /// The arguments of the struct of a form, beginning with that lifetime.
    fn arguments(&self, form: Form, lifetime: &TokenStream) -> TokenStream {
        let mut arguments = vec![lifetime.clone()];
        arguments.extend(self.generics.params.iter().map(|parameter| match parameter {
            GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
            GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
            GenericParam::Const(parameter) => parameter.ident.to_token_stream(),
        }));
        arguments.extend(self.lane_argument(form));
        quote!(<#(#arguments),*>)
    }

    /// Returns the number of lanes as an argument; in braces, since a type can have the same name.
    pub(crate) fn lane_argument(&self, form: Form) -> Option<TokenStream> {
        let lane_count = &self.lane_count;
        form.has_lanes().then(|| quote!({ #lane_count }))
    }

    /// Returns the number of lanes as a parameter.
    pub(crate) fn lane_parameter(&self, form: Form) -> Option<TokenStream> {
        let lane_count = &self.lane_count;
        form.has_lanes().then(|| quote!(const #lane_count: ::core::primitive::usize))
    }

    /// The type of a form, with that lifetime.
    pub(crate) fn form_type(&self, form: Form, lifetime: &TokenStream) -> TokenStream {
        let (name, arguments) = (self.form_name(form), self.arguments(form, lifetime));
        quote!(#name #arguments)
    }

    /// The type of a form, with the lifetime that its declaration has.
    pub(crate) fn form_of_its_own(&self, form: Form) -> TokenStream {
        self.form_type(form, &self.lifetime.to_token_stream())
    }

    /// The parameters of the struct of a form.
    pub(crate) fn form_generics(&self, form: Form) -> Generics {
        let (lifetime, soa) = (&self.lifetime, &self.soa);
        let mut generics = self.generics.clone();
        generics.params.insert(0, parse_quote!(#lifetime));
        if let Some(parameter) = self.lane_parameter(form) {
            generics.params.push(parse_quote!(#parameter));
        }
        let clause = generics.make_where_clause();
        for field in self.nested_generics() {
            let ty = &field.ty;
            clause.predicates.push(parse_quote!(#ty: #soa::Soa));
        }
        // These are the bounds that `Soa` requires of a reference, not all of which follow from the fields.
        for parameter in &self.generics.params {
            match parameter {
                GenericParam::Type(TypeParam { ident, .. }) => {
                    clause.predicates.push(parse_quote!(#ident: #lifetime));
                }
                GenericParam::Lifetime(parameter) => {
                    let longer = &parameter.lifetime;
                    clause.predicates.push(parse_quote!(#longer: #lifetime));
                }
                GenericParam::Const(_) => {}
            }
        }
        generics
    }

    /// Returns the type of a form's member for a column of this type.
    fn member_type(
        &self,
        form: Form,
        (ty, span): (&TokenStream, Span),
        is_nested: bool,
    ) -> TokenStream {
        let (lifetime, lane_count, soa) = (&self.lifetime, &self.lane_count, &self.soa);
        if is_nested {
            let name = format_ident!("{}", form.name());
            let lanes = self.lane_argument(form);
            return quote_spanned!(span=> #soa::view::#name<#lifetime, #ty, #lanes>);
        }
        match form {
            Form::Ref => quote!(&#lifetime #ty),
            Form::RefMut => quote!(&#lifetime mut #ty),
            Form::Columns => quote!(&#lifetime [#ty]),
            Form::ColumnsMut => quote!(&#lifetime mut [#ty]),
            Form::Lanes => quote!(&#lifetime [#ty; #lane_count]),
            Form::LanesMut => quote!(&#lifetime mut [#ty; #lane_count]),
        }
    }

    /// The members of the struct of a form.
    pub(crate) fn members(&self, form: Form) -> Vec<FormMember<'_>> {
        let of_field =
            |field: &Field| self.member_type(form, (&field.ty, field.span), field.is_nested);
        let of_column =
            |column: &Column| self.member_type(form, (&column.ty, column.span), column.is_nested());
        if form.is_of_fields() {
            let fields = self.fields.iter();
            return fields.map(|field| FormMember::of_field(field, of_field(field))).collect();
        }
        let columns = self.columns.iter();
        columns.map(|column| FormMember::of_column(column, of_column(column))).collect()
    }

    /// The struct of a form.
    pub(crate) fn form_struct(&self, form: Form) -> TokenStream {
        let (name, visibility) = (self.form_name(form), &self.visibility);
        let generics = self.form_generics(form);
        let (parameters, _, clause) = generics.split_for_impl();
        let documentation = format!("{} [`{}`].", form.meaning(), self.name);
        let members = self.members(form).into_iter().map(|member| {
            let (visibility, ty) = (member.visibility, member.ty);
            let of = plain_name(member.member);
            let documentation = format!("{} `{of}`.", form.meaning_of_member());
            let name = match member.member {
                syn::Member::Named(name) => Some(quote!(#name:)),
                syn::Member::Unnamed(_) => None,
            };
            quote!(#[doc = #documentation] #visibility #name #ty)
        });
        let body = if self.is_tuple {
            quote!((#(#members),*) #clause;)
        } else {
            quote!(#clause { #(#members),* })
        };
        quote! {
            #[doc = #documentation]
            #[allow(dead_code, deprecated)]
            #visibility struct #name #parameters #body
        }
    }
}

/// A member of the struct of a form.
pub(crate) struct FormMember<'d> {
    pub(crate) member: &'d syn::Member,
    pub(crate) visibility: &'d syn::Visibility,
    pub(crate) ty: TokenStream,
    pub(crate) variable: &'d Ident,
}

impl<'d> FormMember<'d> {
    fn of_field(field: &'d Field, ty: TokenStream) -> Self {
        let Field { member, visibility, variable, .. } = field;
        Self { member, visibility, ty, variable }
    }

    fn of_column(column: &'d Column, ty: TokenStream) -> Self {
        let Column { member, visibility, variable, .. } = column;
        Self { member, visibility, ty, variable }
    }
}

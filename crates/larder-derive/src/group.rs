//! A struct of which all fields take part: observers, or what goes back.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Error, Generics, Ident, Index, Lifetime, Member, Result, Visibility};
use syn::{WherePredicate, parse_quote};

use crate::attributes;
use crate::words;

pub(crate) struct Group {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    pub(crate) is_tuple: bool,
    pub(crate) fields: Vec<Field>,
    /// The path of larder.
    pub(crate) larder: TokenStream,
    /// Names that the struct does not use: of a container, of a lifetime, and of one that nothing has.
    pub(crate) container: Ident,
    pub(crate) lifetime: Lifetime,
    any: Lifetime,
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) visibility: Visibility,
    pub(crate) ty: TokenStream,
}

impl Group {
    /// A struct of observers.
    pub(crate) fn of_observers(input: &DeriveInput) -> Result<Self> {
        let group = Self::read(
            input,
            "observer",
            "only structs derive `Observer`, which passes each change on to all fields; implement it for this type",
        )?;
        if group.fields.is_empty() {
            return Err(error(input, "a struct without fields observes nothing; use `()`"));
        }
        Ok(group)
    }

    /// A struct of members that go back together.
    pub(crate) fn of_members(input: &DeriveInput) -> Result<Self> {
        Self::read(
            input,
            "reversible",
            "only structs derive `Reversible`, as groups of all their fields; put a value of this type into a `Versioned`",
        )
    }

    fn read(input: &DeriveInput, attribute: &str, only_structs: &str) -> Result<Self> {
        let Data::Struct(data) = &input.data else { return Err(error(input, only_structs)) };
        let krate = attributes::path_of_larder(&input.attrs, attribute)?;
        let (generics, this) = words::parameters(input);
        let fields = (0..).zip(&data.fields).map(|(index, field)| {
            attributes::nothing_of_a_field(&field.attrs, attribute)?;
            let unnamed = || Member::Unnamed(Index::from(index));
            Ok(Field {
                member: field.ident.clone().map_or_else(unnamed, Member::Named),
                visibility: field.vis.clone(),
                ty: words::in_place_of_self(field.ty.to_token_stream(), &this),
            })
        });
        let fields = fields.collect::<Result<Vec<_>>>()?;
        let types = fields.iter().map(|field| &field.ty);
        let larder = krate.map_or_else(|| quote!(::larder), |path| path.to_token_stream());
        let (name, clause) = (&input.ident, &generics.where_clause);
        let used = quote!(#larder #name #generics #clause #(#types)*);
        Ok(Self {
            name: input.ident.clone(),
            visibility: input.vis.clone(),
            is_tuple: data.fields.iter().any(|field| field.ident.is_none()),
            fields,
            larder,
            container: words::free_identifier(["C", "Objects"], &used),
            lifetime: words::free_lifetime(["a", "edited"], &used),
            any: words::free_lifetime(["any", "any_"], &used),
            generics,
        })
    }

    /// Those parameters, with a bound on the type of each field.
    pub(crate) fn bound(&self, mut generics: Generics, bound: &TokenStream) -> Generics {
        for Field { ty, .. } in &self.fields {
            generics.make_where_clause().predicates.push(parse_quote!(#ty: #bound));
        }
        generics
    }

    /// As [`bound`](Self::bound), but where the type of a field does not depend on parameters and does not have the
    /// bound, the implementation does not exist: without the lifetime it would be an error.
    pub(crate) fn bound_if_any(&self, mut generics: Generics, bound: &TokenStream) -> Generics {
        let any = &self.any;
        for Field { ty, .. } in &self.fields {
            let predicate: WherePredicate = parse_quote!(for<#any> #ty: #bound);
            generics.make_where_clause().predicates.push(predicate);
        }
        generics
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = &Member> {
        self.fields.iter().map(|field| &field.member)
    }
}

fn error(input: &DeriveInput, message: &str) -> Error {
    Error::new(input.ident.span(), format!("`{}`: {message}", input.ident.unraw()))
}

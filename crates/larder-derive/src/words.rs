//! Names and parameters: which are free, which are used.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{DeriveInput, GenericParam, Generics, Lifetime, WherePredicate, parse_quote};

/// Returns whether `test` holds for any identifier in there. (That of a lifetime is one.)
fn any(tokens: &TokenStream, test: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => any(&group.stream(), test),
        TokenTree::Ident(ident) => test(&ident),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The first of these that is not in there; with numbers, if need be.
fn free(names: [&str; 2], tokens: &TokenStream) -> String {
    let numbered = (0..).map(|number| format!("{}{number}", names[1]));
    let mut candidates = names.map(str::to_owned).into_iter().chain(numbered);
    candidates.find(|name| !any(tokens, &|ident| ident == name)).unwrap_or_default()
}

pub(crate) fn free_lifetime(names: [&str; 2], tokens: &TokenStream) -> Lifetime {
    Lifetime::new(&format!("'{}", free(names, tokens)), Span::mixed_site())
}

pub(crate) fn free_identifier(names: [&str; 2], tokens: &TokenStream) -> Ident {
    Ident::new(&free(names, tokens), Span::mixed_site())
}

/// `hot_fields` as `HotFields`.
pub(crate) fn camel(name: &Ident) -> String {
    let name = name.unraw().to_string();
    let words = name.split('_').filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    words.map(capital).collect()
}

/// The type with its name in place of `Self`, for a struct beside it.
pub(crate) fn in_place_of_self(ty: TokenStream, name: &TokenStream) -> TokenStream {
    let token = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => name.clone(),
        TokenTree::Group(group) => {
            let inner = in_place_of_self(group.stream(), name);
            let mut replaced = Group::new(group.delimiter(), inner);
            replaced.set_span(group.span());
            TokenTree::Group(replaced).into()
        }
        other => other.into(),
    };
    ty.into_iter().map(token).collect::<Vec<TokenStream>>().into_iter().collect()
}

/// The parameters of a struct without defaults, for implementations and for structs beside it; and the struct with
/// them, which their bounds name in place of `Self`.
pub(crate) fn parameters(input: &DeriveInput) -> (Generics, TokenStream) {
    let mut generics = input.generics.clone();
    for parameter in &mut generics.params {
        match parameter {
            GenericParam::Type(parameter) => {
                parameter.eq_token = None;
                parameter.default = None;
            }
            GenericParam::Const(parameter) => {
                parameter.eq_token = None;
                parameter.default = None;
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    let (_, arguments, _) = generics.split_for_impl();
    let (name, turbofish) = (&input.ident, arguments.as_turbofish());
    let this = quote!(#name #turbofish);
    let clause = in_place_of_self(generics.where_clause.to_token_stream(), &this);
    let parameters = in_place_of_self(generics.to_token_stream(), &this);
    (Generics { where_clause: parse_quote!(#clause), ..parse_quote!(#parameters) }, this)
}

fn name(parameter: &GenericParam) -> &Ident {
    match parameter {
        GenericParam::Type(parameter) => &parameter.ident,
        GenericParam::Const(parameter) => &parameter.ident,
        GenericParam::Lifetime(parameter) => &parameter.lifetime.ident,
    }
}

/// Returns whether a type depends on parameters that are types or constants.
pub(crate) fn mentions_types(generics: &Generics, ty: &TokenStream) -> bool {
    let parameters = generics.params.iter();
    let mut names =
        parameters.filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_))).map(name);
    names.any(|name| any(ty, &|ident| ident == name))
}

/// The parameters that types use, and what is asked of these alone.
pub(crate) fn used_in(generics: &Generics, types: &TokenStream) -> Generics {
    let is_used = |parameter: &&GenericParam| any(types, &|ident| ident == name(parameter));
    let (used, unused): (Vec<_>, Vec<_>) = generics.params.iter().partition(is_used);
    let is_about_used = |tokens: TokenStream| {
        !unused.iter().any(|parameter| any(&tokens, &|ident| ident == name(parameter)))
    };
    let mut kept = Generics { params: used.into_iter().cloned().collect(), ..Generics::default() };
    for parameter in kept.params.iter_mut() {
        if let GenericParam::Type(parameter) = parameter {
            let bounds = core::mem::take(&mut parameter.bounds).into_iter();
            parameter.bounds = bounds.filter(|bound| is_about_used(quote!(#bound))).collect();
        }
    }
    if let Some(clause) = &generics.where_clause {
        let about_used = |predicate: &&WherePredicate| is_about_used(quote!(#predicate));
        let predicates = clause.predicates.iter().filter(about_used).cloned();
        kept.make_where_clause().predicates.extend(predicates);
    }
    kept
}

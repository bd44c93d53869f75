//! `#[soa(…)]`: what is said of a struct, and of a field. `#[observer(…)]` and `#[reversible(…)]`: of a struct.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::spanned::Spanned as _;
use syn::token::Paren;
use syn::{Attribute, Error, Expr, Ident, Lit, LitInt, LitStr, Path, Result, Token};

/// A value, and where it was said.
pub(crate) struct Said<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// The argument of `lanes`.
pub(crate) enum Lanes {
    /// So many.
    Of(usize),
    /// The number that fills a block.
    Block,
}

/// The attributes of a struct.
#[derive(Default)]
pub(crate) struct OfStruct {
    pub(crate) align: Option<Said<usize>>,
    pub(crate) lanes: Option<Said<Lanes>>,
    pub(crate) no_fill: Option<Said<()>>,
    pub(crate) krate: Option<Said<Path>>,
}

/// The attributes of a field.
#[derive(Default)]
pub(crate) struct OfField {
    pub(crate) nested: Option<Said<()>>,
    pub(crate) group: Option<Said<Ident>>,
    pub(crate) align: Option<Said<usize>>,
    pub(crate) fill: Option<Said<TokenStream>>,
}

const KNOWN_OF_STRUCTS: &str = "structs take `align = …`, `lanes = …`, `no_fill` and \
                                `crate = …`";
const KNOWN_OF_FIELDS: &str = "fields take `nested`, `group = \"…\"`, `align = …` and \
                               `fill = …`";

impl OfStruct {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self::default();
        each(attributes, "soa", |name, meta| match name {
            "align" => say(&mut this.align, meta, alignment),
            "lanes" => say(&mut this.lanes, meta, lanes),
            "no_fill" => say(&mut this.no_fill, meta, nothing),
            "crate" => say(&mut this.krate, meta, path),
            "nested" | "group" | "fill" => Err(meta.error(format!(
                "`{name}` is a field attribute, not a struct attribute; {KNOWN_OF_STRUCTS}"
            ))),
            _ => Err(meta.error(format!("unknown attribute `{name}`; {KNOWN_OF_STRUCTS}"))),
        })?;
        not_packed(attributes)?;
        Ok(this)
    }
}

/// Checks that fields can be borrowed, as views do.
fn not_packed(attributes: &[Attribute]) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                return Err(meta.error(
                    "fields of a packed struct cannot be borrowed, as views borrow them; remove `packed`: \
                     columns have no padding between values anyway",
                ));
            }
            // The number of `align(16)` is skipped.
            meta.input.peek(Paren).then(|| meta.input.parse::<TokenTree>()).transpose().map(drop)
        })?;
    }
    Ok(())
}

impl OfField {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self::default();
        each(attributes, "soa", |name, meta| match name {
            "nested" => say(&mut this.nested, meta, nothing),
            "group" => say(&mut this.group, meta, group),
            "align" => say(&mut this.align, meta, alignment),
            "fill" => say(&mut this.fill, meta, constant),
            "lanes" | "no_fill" | "crate" => Err(meta.error(format!(
                "`{name}` is a struct attribute, not a field attribute; {KNOWN_OF_FIELDS}"
            ))),
            _ => Err(meta.error(format!("unknown attribute `{name}`; {KNOWN_OF_FIELDS}"))),
        })?;
        Ok(this)
    }
}

/// Returns the path of larder, if it is said: the only thing that `#[observer(…)]` and `#[reversible(…)]` say.
pub(crate) fn path_of_larder(attributes: &[Attribute], group: &str) -> Result<Option<Path>> {
    let mut krate = None;
    each(attributes, group, |name, meta| match name {
        "crate" => say(&mut krate, meta, path),
        _ => Err(meta.error(format!("unknown attribute `{name}`; structs take `crate = …`"))),
    })?;
    Ok(krate.map(|path| path.value))
}

/// Checks that nothing is said of a field in `#[observer(…)]` or `#[reversible(…)]`.
pub(crate) fn nothing_of_a_field(attributes: &[Attribute], group: &str) -> Result<()> {
    match attributes.iter().find(|attribute| attribute.path().is_ident(group)) {
        Some(attribute) => Err(Error::new(
            attribute.path().span(),
            format!("fields take no `#[{group}(…)]`, since all of them take part; remove it"),
        )),
        None => Ok(()),
    }
}

/// Reads all that is said in the attributes of that name, `#[soa(…)]`, one by one.
fn each(
    attributes: &[Attribute],
    group: &str,
    mut read: impl FnMut(&str, &ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(group)) {
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            read(&name, &meta)
        })?;
    }
    Ok(())
}

/// Keeps what is said; twice is an error.
fn say<T>(
    place: &mut Option<Said<T>>,
    meta: &ParseNestedMeta<'_>,
    read: impl FnOnce(&ParseNestedMeta<'_>) -> Result<T>,
) -> Result<()> {
    let span = meta.path.span();
    if place.is_some() {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        return Err(Error::new(span, format!("`{name}` is given twice; give it once")));
    }
    *place = Some(Said { value: read(meta)?, span });
    Ok(())
}

fn nothing(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.is_empty() || meta.input.peek(Token![,]) {
        return Ok(());
    }
    Err(meta.error("this takes no value; leave it out"))
}

fn path(meta: &ParseNestedMeta<'_>) -> Result<Path> {
    meta.value()?.parse()
}

fn alignment(meta: &ParseNestedMeta<'_>) -> Result<usize> {
    let number: LitInt = meta.value()?.parse()?;
    let align: usize = number.base10_parse()?;
    if align.is_power_of_two() {
        return Ok(align);
    }
    Err(Error::new(
        number.span(),
        format!("`align` is a power of two, such as 16 or 64; {align} is none"),
    ))
}

fn lanes(meta: &ParseNestedMeta<'_>) -> Result<Lanes> {
    let value: &ParseStream<'_> = &meta.value()?;
    let span = value.span();
    let known = if value.peek(LitInt) {
        let lanes: usize = value.parse::<LitInt>()?.base10_parse()?;
        matches!(lanes, 4 | 8 | 16 | 32 | 64).then_some(Lanes::Of(lanes))
    } else {
        (value.parse::<LitStr>()?.value() == "block").then_some(Lanes::Block)
    };
    known.ok_or_else(|| {
        Error::new(span, "`lanes` is 4, 8, 16, 32 or 64, or \"block\" for as many as fill 16 KiB")
    })
}

fn group(meta: &ParseNestedMeta<'_>) -> Result<Ident> {
    let name: LitStr = meta.value()?.parse()?;
    name.parse_with(Ident::parse_any).ok().filter(is_a_name).ok_or_else(|| {
        Error::new(
            name.span(),
            "`group` is the name of a column, and so an identifier, such as \"hot\"",
        )
    })
}

fn is_a_name(ident: &Ident) -> bool {
    syn::parse_str::<Ident>(&ident.to_string()).is_ok() && ident != "_"
}

/// Takes an expression, in which types may have commas, or else all up to the next comma. The compiler will check it.
fn constant(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let value = meta.value()?;
    let ahead = value.fork();
    if let Ok(expression) = ahead.parse::<Expr>() {
        if ahead.peek(Ident) || ahead.peek(Lit) {
            let message =
                "`fill` is a constant, which ends before this: remove it, or put a comma between";
            return Err(ahead.error(message));
        }
        if ahead.is_empty() || ahead.peek(Token![,]) {
            value.advance_to(&ahead);
            return Ok(expression.into_token_stream());
        }
    }
    let mut tokens = TokenStream::new();
    while !value.is_empty() && !value.peek(Token![,]) {
        tokens.extend([value.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() {
        return Err(value.error("`fill` is a constant of the field's type, such as `fill = 1.0`"));
    }
    Ok(tokens)
}

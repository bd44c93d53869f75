//! The parts of a struct: its fields, and the columns in which they lie.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Error, Fields, Generics, Ident, Index, Lifetime, Member};
use syn::{Result, Visibility};

use crate::attributes::{Lanes, OfField, OfStruct, Said};
use crate::words;

/// A struct whose fields are to lie in columns.
pub(crate) struct Description {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    pub(crate) is_tuple: bool,
    pub(crate) fields: Vec<Field>,
    pub(crate) columns: Vec<Column>,
    pub(crate) lanes: Option<Said<Lanes>>,
    pub(crate) has_fill: bool,
    /// The path of the module `soa`.
    pub(crate) soa: TokenStream,
    /// The lifetime of the references, by a name that the struct does not use.
    pub(crate) lifetime: Lifetime,
    /// A lifetime that is shorter, by a name that the struct does not use.
    pub(crate) shorter: Lifetime,
    /// The number of lanes, by a name that the struct does not use.
    pub(crate) lane_count: Ident,
}

/// A field of the struct.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) visibility: Visibility,
    pub(crate) ty: TokenStream,
    pub(crate) span: Span,
    pub(crate) is_nested: bool,
    pub(crate) fill: Option<TokenStream>,
    /// A variable that holds it, or what stands for it.
    pub(crate) variable: Ident,
}

/// A column, or the columns of a nested field.
pub(crate) struct Column {
    pub(crate) member: Member,
    pub(crate) visibility: Visibility,
    /// The type of its elements.
    pub(crate) ty: TokenStream,
    pub(crate) span: Span,
    pub(crate) kind: Kind,
    pub(crate) align: usize,
    pub(crate) variable: Ident,
}

pub(crate) enum Kind {
    /// A field by itself.
    Field,
    /// A field that has columns of its own.
    Nested,
    /// These fields, side by side in a struct.
    Group { ty: Ident, generics: Generics, fields: Vec<usize> },
}

impl Column {
    pub(crate) fn is_nested(&self) -> bool {
        matches!(self.kind, Kind::Nested)
    }
}

impl Description {
    pub(crate) fn read(input: &DeriveInput) -> Result<Self> {
        let fields = fields_of(input)?;
        let said = OfStruct::read(&input.attrs)?;
        let (generics, this) = words::parameters(input);
        check_lanes(&said, &generics)?;
        let types = fields.iter().map(|field| &field.ty);
        let (name, clause) = (&input.ident, &generics.where_clause);
        let used = quote!(#name #generics #clause #(#types)*);
        let krate =
            said.krate.map_or_else(|| quote!(::larder), |path| path.value.to_token_stream());
        let mut description = Self {
            name: input.ident.clone(),
            visibility: input.vis.clone(),
            is_tuple: matches!(fields, Fields::Unnamed(_)),
            fields: Vec::new(),
            columns: Vec::new(),
            lanes: said.lanes,
            has_fill: said.no_fill.is_none(),
            soa: quote!(#krate::soa),
            lifetime: words::free_lifetime(["a", "soa"], &used),
            shorter: words::free_lifetime(["b", "shorter"], &used),
            lane_count: words::free_identifier(["L", "LANES"], &used),
            generics,
        };
        let align = said.align.map_or(1, |align| align.value);
        let mut errors: Option<Error> = None;
        for (index, field) in fields.iter().enumerate() {
            if let Err(error) = description.add(index, field, &this, align) {
                match &mut errors {
                    Some(errors) => errors.combine(error),
                    None => errors = Some(error),
                }
            }
        }
        match errors {
            Some(errors) => Err(errors),
            None => description.finished(),
        }
    }

    /// A field, and where it lies.
    fn add(
        &mut self,
        index: usize,
        field: &syn::Field,
        this: &TokenStream,
        align: usize,
    ) -> Result<()> {
        let said = OfField::read(&field.attrs)?;
        check_field(&said, self.is_tuple)?;
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::Unnamed(Index {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                span: field.span(),
            }),
        };
        let described = Field {
            member,
            visibility: field.vis.clone(),
            ty: words::in_place_of_self(field.ty.to_token_stream(), this),
            span: field.ty.span(),
            is_nested: said.nested.is_some(),
            fill: said.fill.map(|fill| fill.value),
            variable: Ident::new(&format!("field_{index}"), Span::mixed_site()),
        };
        match said.group {
            Some(group) => self.add_to_group(&group, &described, index, said.align, align)?,
            None => self.columns.push(Column {
                member: described.member.clone(),
                visibility: described.visibility.clone(),
                ty: described.ty.clone(),
                span: described.span,
                kind: if described.is_nested { Kind::Nested } else { Kind::Field },
                align: said.align.map_or(align, |align| align.value),
                variable: described.variable.clone(),
            }),
        }
        self.fields.push(described);
        Ok(())
    }

    /// A field that lies beside others.
    fn add_to_group(
        &mut self,
        group: &Said<Ident>,
        field: &Field,
        index: usize,
        align: Option<Said<usize>>,
        align_of_all: usize,
    ) -> Result<()> {
        let member = Member::Named(group.value.clone());
        let align = align.map_or(align_of_all, |align| align.value);
        if let Some(column) = self.columns.iter_mut().find(|column| column.member == member) {
            if let Kind::Group { fields, .. } = &mut column.kind {
                fields.push(index);
                column.align = column.align.max(align);
                // Whoever may not see one field may not see the column.
                let (theirs, its) = (&column.visibility, &field.visibility);
                if quote!(#theirs).to_string() != quote!(#its).to_string() {
                    column.visibility = Visibility::Inherited;
                }
            }
            return Ok(());
        }
        let ty = format_ident!("{}{}", self.name, words::camel(&group.value), span = group.span);
        let taken = ["Ref", "RefMut", "Columns", "ColumnsMut", "Lanes", "LanesMut"];
        let is_taken = taken.iter().any(|suffix| ty == format!("{}{suffix}", self.name));
        let is_taken = is_taken
            || self.columns.iter().any(
                |column| matches!(&column.kind, Kind::Group { ty: other, .. } if *other == ty),
            );
        if is_taken {
            return Err(Error::new(
                group.span,
                format!(
                    "the struct of this group would be `{ty}`, which there is already; choose another name"
                ),
            ));
        }
        self.columns.push(Column {
            member,
            visibility: field.visibility.clone(),
            ty: TokenStream::new(),
            span: group.span,
            kind: Kind::Group { ty, generics: Generics::default(), fields: vec![index] },
            align,
            variable: Ident::new(&format!("group_{index}"), Span::mixed_site()),
        });
        Ok(())
    }

    /// Finishes with the checks that need all fields.
    fn finished(mut self) -> Result<Self> {
        for column in &mut self.columns {
            let Kind::Group { ty, generics, fields } = &mut column.kind else { continue };
            if self.fields.iter().any(|field| field.member == column.member) {
                let name = column.member.to_token_stream();
                return Err(Error::new(
                    column.span,
                    format!("`{name}` is a field already; give the group another name"),
                ));
            }
            let types = fields.iter().map(|&field| self.fields[field].ty.clone()).collect();
            *generics = words::used_in(&self.generics, &types);
            let (_, arguments, _) = generics.split_for_impl();
            column.ty = quote!(#ty #arguments);
        }
        Ok(self)
    }

    /// The fields that have columns of their own and are of a type that depends on type parameters.
    pub(crate) fn nested_generics(&self) -> impl Iterator<Item = &Field> {
        self.fields
            .iter()
            .filter(|field| field.is_nested && words::mentions_types(&self.generics, &field.ty))
    }
}

/// The fields of what has columns.
fn fields_of(input: &DeriveInput) -> Result<&Fields> {
    let what = match &input.data {
        Data::Struct(data) if !data.fields.is_empty() => return Ok(&data.fields),
        Data::Struct(_) => "a struct without fields has no columns; add a field",
        Data::Enum(_) => {
            "an enum has no columns, since its values have different fields; make it a field of a \
             struct: then it is a column"
        }
        Data::Union(_) => {
            "a union has no columns; make it a field of a struct: then it is a column"
        }
    };
    Err(Error::new(input.ident.span(), format!("`{}`: {what}", input.ident.unraw())))
}

fn check_lanes(said: &OfStruct, generics: &Generics) -> Result<()> {
    let Some(lanes) = &said.lanes else { return Ok(()) };
    if let Some(no_fill) = &said.no_fill {
        return Err(Error::new(
            no_fill.span,
            "`no_fill` cannot be combined with `lanes`: lanes without a value hold what `Fill` \
             says; remove one of the two",
        ));
    }
    if matches!(lanes.value, Lanes::Block) && !generics.params.is_empty() {
        return Err(Error::new(
            lanes.span,
            "how many lanes fill a block depends on the parameters of this struct; give a number: 4, \
             8, 16, 32 or 64",
        ));
    }
    Ok(())
}

fn check_field(said: &OfField, is_tuple: bool) -> Result<()> {
    if let (Some(_), Some(group)) = (&said.nested, &said.group) {
        return Err(Error::new(
            group.span,
            "`group` cannot be combined with `nested`: a field lies beside others or is taken \
             apart; remove one of the two",
        ));
    }
    if let (Some(_), Some(align)) = (&said.nested, &said.align) {
        return Err(Error::new(
            align.span,
            "`align` cannot be combined with `nested`: put it in the nested struct",
        ));
    }
    match &said.group {
        Some(group) if is_tuple => Err(Error::new(
            group.span,
            "`group` needs fields that have names: give the struct named fields",
        )),
        _ => Ok(()),
    }
}

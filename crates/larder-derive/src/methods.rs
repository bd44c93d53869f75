//! The methods of the generated structs. They are as visible as the struct, and call what the
//! implementation of `Soa` has.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Generics;

use crate::description::Description;
use crate::form::Form;

impl Description {
    /// All methods of the struct of a form.
    pub(crate) fn form_methods(&self, form: Form) -> TokenStream {
        let generics = self.form_generics_with_fill(form);
        let (parameters, _, clause) = generics.split_for_impl();
        let ty = self.form_of_its_own(form);
        let methods = match form {
            Form::Ref => self.methods_of_ref(),
            Form::RefMut => self.methods_of_ref_mut(),
            Form::Columns => self.methods_of_columns(),
            Form::ColumnsMut => self.methods_of_columns_mut(),
            Form::Lanes => self.methods_of_lanes(),
            Form::LanesMut => self.methods_of_lanes_mut(),
        };
        quote! {
            #[allow(dead_code, deprecated)]
            impl #parameters #ty #clause {
                #methods
            }
        }
    }

    /// The parameters of the struct of a form, for what asks the shape: lanes are filled.
    pub(crate) fn form_generics_with_fill(&self, form: Form) -> Generics {
        let mut generics = self.form_generics(form);
        if self.lanes.is_some() {
            self.ask_for_fill(&mut generics);
        }
        generics
    }

    /// The struct that is derived for.
    pub(crate) fn value(&self) -> TokenStream {
        let name = &self.name;
        let (_, arguments, _) = self.generics.split_for_impl();
        quote!(#name #arguments)
    }

    /// The struct as the view of itself.
    fn value_as_view(&self) -> TokenStream {
        let (value, soa) = (self.value(), &self.soa);
        quote!(<#value as #soa::view::View<#value>>)
    }

    /// The shape in which the struct is nested whole.
    fn value_as_shape(&self) -> TokenStream {
        let (value, soa) = (self.value(), &self.soa);
        quote!(<#soa::derived::Nest<#value> as #soa::derived::Shape>)
    }

    fn methods_of_ref(&self) -> TokenStream {
        let (visibility, value, soa) = (&self.visibility, self.value(), &self.soa);
        quote! {
            /// The value, each of its fields cloned.
            #[inline]
            #visibility fn cloned(self) -> #value
            where
                Self: #soa::derived::Cloned<#value>,
            {
                #soa::derived::Cloned::cloned(self)
            }
        }
    }

    fn methods_of_ref_mut(&self) -> TokenStream {
        let (visibility, value, view) = (&self.visibility, self.value(), self.value_as_view());
        let [shared, mutable] =
            [Form::Ref, Form::RefMut].map(|form| self.form_type(form, &quote!('_)));
        quote! {
            /// The same fields, to read.
            #[inline]
            #visibility fn as_ref(&self) -> #shared {
                #view::ref_of_mut(self)
            }

            /// The same fields, for as long as this is borrowed.
            #[inline]
            #visibility fn reborrow(&mut self) -> #mutable {
                #view::ref_reborrow(self)
            }

            /// Puts a value in place of the fields, and drops what they were.
            #[inline]
            #visibility fn set(&mut self, value: #value) {
                self.replace(value);
            }

            /// Puts a value in place of the fields, and returns what they were.
            #[inline]
            #visibility fn replace(&mut self, value: #value) -> #value {
                #view::ref_replace(self, value)
            }
        }
    }

    fn methods_of_columns(&self) -> TokenStream {
        let (visibility, shape) = (&self.visibility, self.value_as_shape());
        let reference = self.form_of_its_own(Form::Ref);
        quote! {
            /// Returns the number of values: the length of each column.
            #[inline]
            #visibility fn len(self) -> ::core::primitive::usize {
                ::core::iter::ExactSizeIterator::len(&#shape::columns_iter(self))
            }

            /// Returns whether there is no value.
            #[inline]
            #visibility fn is_empty(self) -> ::core::primitive::bool {
                self.len() == 0
            }

            /// References to the fields of a value, by its position in the columns.
            #[inline]
            #visibility fn get(self, index: ::core::primitive::usize) -> ::core::option::Option<#reference> {
                let at = ::core::cmp::Ord::min(index, self.len());
                ::core::iter::Iterator::next(&mut #shape::columns_iter(#shape::columns_split_at(self, at).1))
            }

            /// Each column in two: the values before `mid`, and those from there on.
            ///
            /// # Panics
            /// If there are fewer than `mid` values.
            #[inline]
            #[track_caller]
            #visibility fn split_at(self, mid: ::core::primitive::usize) -> (Self, Self) {
                #shape::columns_split_at(self, mid)
            }

            /// References to the fields of each value, in order.
            #[inline]
            #visibility fn iter(
                self,
            ) -> impl ::core::iter::DoubleEndedIterator<Item = #reference>
                + ::core::iter::ExactSizeIterator
                + ::core::clone::Clone {
                #shape::columns_iter(self)
            }
        }
    }

    fn methods_of_columns_mut(&self) -> TokenStream {
        let methods =
            [self.shared_methods_of_columns_mut(), self.changing_methods_of_columns_mut()];
        quote!(#(#methods)*)
    }

    fn shared_methods_of_columns_mut(&self) -> TokenStream {
        let (visibility, view) = (&self.visibility, self.value_as_view());
        let [reference, columns] =
            [Form::Ref, Form::Columns].map(|form| self.form_type(form, &quote!('_)));
        quote! {
            /// Returns the number of values: the length of each column.
            #[inline]
            #visibility fn len(&self) -> ::core::primitive::usize {
                self.as_columns().len()
            }

            /// Returns whether there is no value.
            #[inline]
            #visibility fn is_empty(&self) -> ::core::primitive::bool {
                self.as_columns().is_empty()
            }

            /// The same columns, to read.
            #[inline]
            #visibility fn as_columns(&self) -> #columns {
                #view::columns_of_mut(self)
            }

            /// References to the fields of a value, by its position in the columns.
            #[inline]
            #visibility fn get(&self, index: ::core::primitive::usize) -> ::core::option::Option<#reference> {
                self.as_columns().get(index)
            }

            /// References to the fields of each value, in order.
            #[inline]
            #visibility fn iter(
                &self,
            ) -> impl ::core::iter::DoubleEndedIterator<Item = #reference>
                + ::core::iter::ExactSizeIterator
                + ::core::clone::Clone {
                self.as_columns().iter()
            }
        }
    }

    fn changing_methods_of_columns_mut(&self) -> TokenStream {
        let visibility = &self.visibility;
        let (view, shape) = (self.value_as_view(), self.value_as_shape());
        let [reference, columns] =
            [Form::RefMut, Form::ColumnsMut].map(|form| self.form_type(form, &quote!('_)));
        quote! {
            /// The same columns, for as long as this is borrowed.
            #[inline]
            #visibility fn reborrow(&mut self) -> #columns {
                #view::columns_reborrow(self)
            }

            /// Mutable references to the fields of a value, by its position in the columns.
            #[inline]
            #visibility fn get_mut(&mut self, index: ::core::primitive::usize) -> ::core::option::Option<#reference> {
                let at = ::core::cmp::Ord::min(index, self.len());
                let (_, from) = #shape::columns_split_at_mut(self.reborrow(), at);
                ::core::iter::Iterator::next(&mut #shape::columns_iter_mut(from))
            }

            /// Each column in two: the values before `mid`, and those from there on.
            ///
            /// # Panics
            /// If there are fewer than `mid` values.
            #[inline]
            #[track_caller]
            #visibility fn split_at_mut(&mut self, mid: ::core::primitive::usize) -> (#columns, #columns) {
                #shape::columns_split_at_mut(self.reborrow(), mid)
            }

            /// Mutable references to the fields of each value, in order.
            #[inline]
            #visibility fn iter_mut(
                &mut self,
            ) -> impl ::core::iter::DoubleEndedIterator<Item = #reference>
                + ::core::iter::ExactSizeIterator {
                #shape::columns_iter_mut(self.reborrow())
            }
        }
    }

    fn methods_of_lanes(&self) -> TokenStream {
        let (visibility, shape) = (&self.visibility, self.value_as_shape());
        let columns = self.form_of_its_own(Form::Columns);
        quote! {
            /// The arrays as slices.
            #[inline]
            #visibility fn as_columns(self) -> #columns {
                #shape::columns_of_lanes(self)
            }
        }
    }

    fn methods_of_lanes_mut(&self) -> TokenStream {
        let visibility = &self.visibility;
        let (view, shape) = (self.value_as_view(), self.value_as_shape());
        let [shared, mutable] =
            [Form::Columns, Form::ColumnsMut].map(|form| self.form_type(form, &quote!('_)));
        quote! {
            /// The arrays as slices, to read.
            #[inline]
            #visibility fn as_columns(&self) -> #shared {
                #shape::columns_of_lanes(#view::lanes_of_mut(self))
            }

            /// The arrays as mutable slices.
            #[inline]
            #visibility fn as_columns_mut(&mut self) -> #mutable {
                #shape::columns_of_lanes_mut(#view::lanes_reborrow(self))
            }
        }
    }
}

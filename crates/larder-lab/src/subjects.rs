//! The declarations of the contestants of all jobs.

/// Declares what a job asks of its subjects: a trait, and a macro with which a subject says in a line a method how it
/// does that. Methods are inlined, unless the trait says otherwise of one.
///
/// ```text
/// subjects! { ($) finders:
///     /// Things that are found by a number.
///     trait Finder: Default {
///         fn find(&self, number: u32) -> Option<u32>;
///     }
/// }
/// finders! { Vec<u32>, "Vec";
///     fn find(&self, number) { self.iter().copied().find(|&one| one == number) }
/// }
/// finders! { Table<S>, "table", [S: Hasher];
///     fn find(&self, number) { self.0.get(&number).copied() }
/// }
/// ```
///
/// Before its methods the trait has, in this order, types, constants (truth values), and functions without
/// `self`, as `static fn`. A method may have a default, as `fn has(&self) -> bool = { true };`. A trait with a
/// parameter declares it as `trait Finder<N> [const N: usize]`.
macro_rules! subjects {
    (
        ($d:tt) $subjects:ident:
        $(#[$doc:meta])*
        $visibility:vis trait $trait:ident $(<$argument:ident> [$($parameter:tt)*])? : $($super:ident)+ {
            $(type $type:ident $(: $($bound:ident)+)?;)*
            $(const $const:ident: bool = $value:literal;)*
            $(
                static $(#[inline($makes:ident)])?
                fn $maker:ident($($given:ident: $given_of:ty),*) -> $made:ty $(= $made_by:tt)?;
            )*
            $(
                $(#[doc = $method_doc:literal])*
                $(#[inline($how:ident)])?
                fn $method:ident(& $($own:ident)+ $(, $name:ident: $of:ty)*) $(-> $result:ty)? $(= $default:tt)?;
            )*
        }
    ) => {
        $(#[$doc])*
        $visibility trait $trait $(<$($parameter)*>)? : $($super +)+ {
            /// The name in tables and in JSON.
            const NAME: &'static str;

            $(type $type $(: $($bound +)+)?;)*
            $(const $const: bool = $value;)*
            $(or_none! {
                [$($made_by)?] [$($makes)?] fn $maker($($given: $given_of),*) -> $made
            })*
            $(
                or_none! { [$($default)?] [$($how)?]
                    $(#[doc = $method_doc])*
                    fn $method(& $($own)+ $(, $name: $of)*) $(-> $result)?
                }
            )*
        }

        macro_rules! $subjects {
            $(
                (@$maker ($($d $given:pat_param),*) $d body:tt) => {
                    $(#[inline($makes)])? fn $maker($($d $given: $given_of),*) -> $made $d body
                };
            )*
            $(
                (@$method (& $d($d own:ident)+ $(, $d $name:pat_param)*) $d body:tt) => {
                    inlined! { [$($how)?]
                        fn $method(& $d($d own)+ $(, $d $name: $of)*) $(-> $result)? $d body
                    }
                };
            )*
            (
                $d(#[$d attribute:meta])*
                $d subject:ty, $d subject_name:expr $d(, [$d($d generics:tt)*])?;
                $d(type $d type_name:ident = $d is:ty;)*
                $d(const $d const_name:ident = $d truth:literal;)*
                $d(fn $d a_method:ident $d signature:tt $d code:tt)*
            ) => {
                $d(#[$d attribute])*
                impl<$($($parameter)*,)? $d($d($d generics)*)?> $trait $(<$argument>)? for $d subject {
                    const NAME: &'static str = $d subject_name;

                    $d(type $d type_name = $d is;)*
                    $d(const $d const_name: bool = $d truth;)*
                    $d($subjects! { @$d a_method $d signature $d code })*
                }
            };
        }
    };
}

/// A method of a trait, with what it does by default, if anything.
macro_rules! or_none {
    ([$default:tt] [$($how:ident)?] $($method:tt)*) => { $(#[inline($how)])? $($method)* $default };
    ([] [$($how:ident)?] $($method:tt)*) => { $($method)*; };
}

/// A method, always inlined unless it says how.
macro_rules! inlined {
    ([$how:ident] $($method:tt)*) => { #[inline($how)] $($method)* };
    ([] $($method:tt)*) => { #[inline(always)] $($method)* };
}

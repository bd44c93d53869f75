//! Inserting while references to values are held.

/// `Inserter`, and what makes it.
macro_rules! inserter {
    ($container:ident, $store:ident) => {
        /// Inserting while references to values are held.
        impl<T, K: Key> $container<T, K> {
            /// Borrows the arena for inserting through `&`: values that are there, and those that are
            /// inserted, stay where they are and can be read as long as the arena is borrowed. O(1).
            ///
            /// Where growing would move values, it is full when the memory is that there is:
            /// [`reserve`](Self::reserve) before. Where nothing moves it has the arena's usual room.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::with_capacity(10);")]
            /// let inserter = arena.inserter();
            /// let (_, first) = inserter.insert(String::from("first"));
            /// let (key, second) = inserter.insert(format!("after {first}"));
            /// assert_eq!((first.as_str(), second.as_str()), ("first", "after first"));
            /// assert_eq!(arena[key], "after first");
            /// ```
            #[doc(alias("stable", "frozen", "alloc"))]
            #[inline]
            pub fn inserter(&mut self) -> Inserter<'_, T, K> {
                Inserter(rows::InPlace::new(&mut self.rows))
            }
        }

        /// Inserts into a borrowed arena through `&`, and lends what is there for as long as the arena is
        #[doc = concat!("borrowed. Made by [`inserter`](crate::", stringify!($container), "::inserter).")]
        ///
        /// It inserts as the arena does, into holes first, but moves no value, removes none and lends none
        /// mutably: so a value that it lends stays. It is for one thread at a time; for many at once there is
        /// [`SharedInserter`](crate::containers::arena::SharedInserter). It can be sent to another thread where values can
        /// be sent *and* shared, since others may still hold what it lent.
        ///
        /// # Examples
        /// Two allocations, of which the first is still in use after the second. With
        #[doc = concat!("[`insert`](crate::", stringify!($container), "::insert) this would not compile, as the second may move the first.")]
        /// ```
        #[doc = concat!("let mut arena = larder::", stringify!($container), "::with_capacity(1_000);")]
        /// let inserter = arena.inserter();
        /// let (_, a) = inserter.insert([1.0, 2.0]);
        /// let (_, b) = inserter.insert([3.0, 4.0]);
        /// assert_eq!(a[0] + b[0], 4.0);
        /// ```
        pub struct Inserter<'a, T, K: Key>(rows::InPlace<'a, T, K, $store<T, K>>);

        impl<'a, T, K: Key> Inserter<'a, T, K> {
            /// Adds a value; its key, and the value for as long as the arena is borrowed. O(1).
            ///
            /// # Panics
            /// If there is no room without moving values, memory is refused, or no slot is left that the key
            /// could name. The value is dropped then; [`try_insert`](Self::try_insert) gives it back.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::builder().fixed(2).build();")]
            /// let (key, value) = arena.inserter().insert('x');
            /// assert_eq!(value, &'x');
            /// assert_eq!(arena[key], 'x');
            /// ```
            #[inline(always)]
            #[track_caller]
            pub fn insert(&self, value: T) -> (K, &'a T) {
                match self.0.try_insert(value) {
                    Ok(inserted) => inserted,
                    Err(refused) => $crate::explain::refused::<Self>(&refused.reason),
                }
            }

            /// As [`insert`](Self::insert), but gives the value back where there is no room. O(1).
            ///
            /// # Errors
            /// If there is no room without moving values, memory is refused, or no slot is left. Nothing has
            /// changed.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::builder().fixed(1).build();")]
            /// let inserter = arena.inserter();
            /// inserter.insert('x');
            /// assert_eq!(inserter.try_insert('y').unwrap_err().into_value(), 'y');
            /// ```
            #[inline(always)]
            pub fn try_insert(&self, value: T) -> Result<(K, &'a T), InsertError<T>> {
                self.0.try_insert(value)
            }

            /// Adds the value that `make` makes of its own key-to-be. O(1), but allocates a bit a slot the
            /// first time (not in a fixed arena).
            ///
            /// `make` may use the same inserter. Until it returns its key is as one that is detached: it
            /// answers `None`, and its slot is kept for it. If `make` panics the key is stale for good; what it
            /// inserted is in.
            ///
            /// # Panics
            /// As [`insert`](Self::insert), before `make` is called.
            ///
            /// # Examples
            /// ```
            #[doc = concat!("use larder::{", stringify!($container), ", Handle};")]
            ///
            /// struct Node { parent: Option<Handle<Node>>, child: Option<Handle<Node>> }
            ///
            #[doc = concat!("let mut nodes = ", stringify!($container), "::with_capacity(2);")]
            /// let inserter = nodes.inserter();
            /// let (root, node) = inserter.insert_with_key(|me| {
            ///     let (child, _) = inserter.insert(Node { parent: Some(me), child: None });
            ///     Node { parent: None, child: Some(child) }
            /// });
            /// let child = inserter.get(node.child.unwrap()).unwrap();
            /// assert_eq!(child.parent, Some(root));
            /// ```
            #[track_caller]
            pub fn insert_with_key(&self, make: impl FnOnce(K) -> T) -> (K, &'a T) {
                match self.0.insert_with_key(make) {
                    Ok(inserted) => inserted,
                    Err(reason) => $crate::explain::refused::<Self>(&reason),
                }
            }

            /// The value of a key, for as long as the arena is borrowed; `None` if the key is stale, foreign or
            /// dangling. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::with_capacity(10);")]
            /// let old = arena.insert("old");
            /// let inserter = arena.inserter();
            /// let value = inserter.get(old).unwrap();
            /// inserter.insert("new");
            /// assert_eq!(value, &"old");
            /// ```
            #[inline]
            #[must_use]
            pub fn get(&self, key: K) -> Option<&'a T> {
                self.0.get(key)
            }

            /// How many values the arena has by now. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::with_capacity(10);")]
            /// arena.insert('a');
            /// let inserter = arena.inserter();
            /// inserter.insert('b');
            /// assert_eq!(inserter.len(), 2);
            /// ```
            #[inline]
            #[must_use]
            pub fn len(&self) -> usize {
                self.0.rows().len()
            }

            /// Whether the arena has no value. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("assert!(larder::", stringify!($container), "::<u8>::new().inserter().is_empty());")]
            /// ```
            #[inline]
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// How many values can still be inserted without moving any. O(1).
            ///
            /// # Examples
            /// ```
            #[doc = concat!("let mut arena = larder::", stringify!($container), "::builder().fixed(3).build();")]
            /// arena.insert('a');
            /// let inserter = arena.inserter();
            /// inserter.insert('b');
            /// assert_eq!(inserter.remaining(), 1);
            /// ```
            #[inline]
            #[must_use]
            pub fn remaining(&self) -> usize {
                self.0.rows().remaining()
            }
        }

        impl<T, K: Key> core::fmt::Debug for Inserter<'_, T, K> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let (len, remaining) = (self.len(), self.remaining());
                f.debug_struct("Inserter").field("len", &len).field("remaining", &remaining).finish()
            }
        }
    };
}
pub(crate) use inserter;

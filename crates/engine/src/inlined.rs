//! Methods of a line.

/// Methods that are inlined, a line each.
macro_rules! inlined {
    ($($(#[$doc:meta])* $name:ident($this:ident $(, $argument:ident: $kind:ty)*) -> $result:ty { $($body:tt)* })*) => {
        $($(#[$doc])* #[inline(always)]
        fn $name($this $(, $argument: $kind)*) -> $result {
            $($body)*
        })*
    };
}

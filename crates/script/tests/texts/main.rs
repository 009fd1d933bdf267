//! Games as text: the language, the games of the gallery, the page that teaches it, and a naive interpreter beside the
//! compiled programs.

mod common;
mod gallery;
mod guide;
mod naive;
mod play;

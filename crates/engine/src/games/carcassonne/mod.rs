//! p
mod cities;
mod graph;
mod segments;

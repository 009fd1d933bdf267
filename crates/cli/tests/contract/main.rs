//! The program from outside: what scripts and reports rely on, what is printed and written, what is refused.

mod common;

mod bad_input;
mod balance;
mod compare;
mod directories;
mod files;
mod first_hour;
mod formats;
mod full_device;
mod harmless;
mod help;
mod inputs;
mod interrupted;
mod large_numbers;
mod library;
mod locales;
mod memory;
mod odd_numbers;
mod oracles;
mod pages;
mod parts;
mod rank;
mod reading;
mod replay;
mod rotation;
mod running;
mod shells;
mod signals;
mod signature;
mod simulate;
mod solving;
mod sweep;
mod texts;
mod trials_out;
mod until;

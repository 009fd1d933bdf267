//! Numbers that NumPy sees where they are.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// An array whose memory is here: `numpy.asarray` takes it as it is, through the array interface, and keeps it alive. Its length
/// never changes, so that the memory stays where it is.
///
/// Python writes into it, and Rust reads and writes, while they hold the GIL.
#[pyclass]
pub(crate) struct Column {
    pub(crate) values: Values,
    /// Row by row.
    shape: Vec<usize>,
}

/// The numbers.
pub(crate) enum Values {
    Flags(Vec<bool>),
    I8(Vec<i8>),
    U8(Vec<u8>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Types of numbers that columns have.
pub(crate) trait Number: Copy + Default {
    /// Numbers of this type.
    fn values(numbers: Vec<Self>) -> Values;
    /// The numbers, which must be of this type.
    fn of(values: &mut Values) -> &mut [Self];
}

macro_rules! numbers {
    ($($type:ty, $variant:ident;)*) => {$(
        impl Number for $type {
            fn values(numbers: Vec<Self>) -> Values {
                Values::$variant(numbers)
            }

            fn of(values: &mut Values) -> &mut [Self] {
                match values {
                    Values::$variant(numbers) => numbers,
                    _ => &mut [],
                }
            }
        }
    )*};
}

numbers! { bool, Flags; i8, I8; u8, U8; i64, I64; u64, U64; f32, F32; f64, F64; }

impl Column {
    /// Zeros.
    pub(crate) fn zeros<T: Number>(shape: &[usize]) -> Self {
        Self::of(vec![T::default(); shape.iter().product()], shape)
    }

    /// These numbers, row by row.
    pub(crate) fn of<T: Number>(numbers: Vec<T>, shape: &[usize]) -> Self {
        debug_assert_eq!(numbers.len(), shape.iter().product::<usize>());
        Self { values: T::values(numbers), shape: shape.to_vec() }
    }

    /// The numbers; none if they are of another type.
    pub(crate) fn numbers<T: Number>(&mut self) -> &mut [T] {
        T::of(&mut self.values)
    }
}

#[pymethods]
impl Column {
    /// What NumPy asks for: where the numbers are, and of which type.
    #[getter]
    fn __array_interface__<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let little = if cfg!(target_endian = "little") { '<' } else { '>' };
        let (address, kind) = match &mut self.values {
            Values::Flags(numbers) => (numbers.as_mut_ptr().expose_provenance(), "|b1".to_owned()),
            Values::I8(numbers) => (numbers.as_mut_ptr().expose_provenance(), "|i1".to_owned()),
            Values::U8(numbers) => (numbers.as_mut_ptr().expose_provenance(), "|u1".to_owned()),
            Values::I64(numbers) => (numbers.as_mut_ptr().expose_provenance(), format!("{little}i8")),
            Values::U64(numbers) => (numbers.as_mut_ptr().expose_provenance(), format!("{little}u8")),
            Values::F32(numbers) => (numbers.as_mut_ptr().expose_provenance(), format!("{little}f4")),
            Values::F64(numbers) => (numbers.as_mut_ptr().expose_provenance(), format!("{little}f8")),
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", kind)?;
        // A truth value has two patterns only, and NumPy would write others.
        let is_read_only = matches!(self.values, Values::Flags(_));
        interface.set_item("data", (address, is_read_only))?;
        Ok(interface)
    }
}

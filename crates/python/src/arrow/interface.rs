//! The C data interface and the C stream interface of Apache Arrow: structs of pointers, and who may free them.
//!
//! The structs, their order and their flags are those of <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>. Who holds a struct whose `release` is set owns what is behind
//! it: moving one is copying its bytes and clearing `release` in the old place. What is behind ours is a box in `private`, which
//! keeps everything alive that the pointers point to.
#![allow(unsafe_code, reason = "the interface is made of raw pointers")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use super::{Column, Columns, Values};

/// A row may lack the value of this column.
const NULLABLE: i64 = 2;

/// `struct ArrowSchema`: the type of a column, or of a table.
#[repr(C)]
pub(crate) struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

/// `struct ArrowArray`: the values of a column, or of a table.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private: *mut c_void,
}

/// `struct ArrowArrayStream`: a table, here in one piece.
#[repr(C)]
pub(crate) struct Stream {
    get_schema: unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int,
    get_next: unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int,
    get_last_error: unsafe extern "C" fn(*mut Stream) -> *const c_char,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

/// What the pointers of a [`Schema`] point to.
struct SchemaParts {
    name: CString,
    metadata: Vec<u8>,
    children: Vec<*mut Schema>,
}

/// What the pointers of an [`Array`] point to.
struct ArrayParts {
    /// Holds what the buffers point to.
    _columns: Arc<Columns>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

/// What is behind a [`Stream`].
struct Source {
    columns: Arc<Columns>,
    /// Whether the one piece has been handed out.
    is_over: bool,
}

// SAFETY: all that is behind the pointers is owned, or shared by `Arc`, and never changed.
unsafe impl Send for Schema {}
// SAFETY: as above.
unsafe impl Send for Stream {}

impl Schema {
    /// The type of a table.
    pub(crate) fn of(columns: &Columns) -> Self {
        let children = columns.columns.iter().map(|column| boxed(Self::of_column(column))).collect();
        Self::new(c"+s".as_ptr(), CString::default(), Vec::new(), 0, children)
    }

    fn of_column(column: &Column) -> Self {
        let format = match column.values {
            Values::Text(..) => c"u",
            Values::Integer(_) => c"l",
            Values::Unsigned(_) => c"L",
            Values::Real(_) => c"g",
            Values::Flag(_) => c"b",
        };
        let heading = &column.heading;
        // Parameters of policies are names without zeros.
        let name = CString::new(heading.name.as_bytes()).unwrap_or_default();
        let metadata = metadata(&[("unit", &heading.unit), ("meaning", &heading.meaning)]);
        Self::new(format.as_ptr(), name, metadata, NULLABLE, Vec::new())
    }

    /// `format` is static.
    fn new(
        format: *const c_char,
        name: CString,
        metadata: Vec<u8>,
        flags: i64,
        children: Vec<*mut Self>,
    ) -> Self {
        let parts = boxed(SchemaParts { name, metadata, children });
        // SAFETY: it has just been made, and nobody else has it.
        let SchemaParts { name, metadata, children } = unsafe { &mut *parts };
        Self {
            format,
            name: name.as_ptr(),
            metadata: if metadata.is_empty() { null() } else { metadata.as_ptr().cast() },
            flags,
            n_children: children.len() as i64,
            children: children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private: parts.cast(),
        }
    }
}

impl Array {
    /// The values of a table.
    fn of(columns: &Arc<Columns>) -> Self {
        let child = |column| boxed(Self::of_column(columns, column));
        let children = columns.columns.iter().map(child).collect();
        Self::new(columns, 0, vec![null()], children)
    }

    fn of_column(columns: &Arc<Columns>, column: &Column) -> Self {
        let present = if column.present.is_empty() { null() } else { column.present.as_ptr().cast() };
        let buffers = match &column.values {
            Values::Text(starts, text) => vec![present, starts.as_ptr().cast(), text.as_ptr().cast()],
            Values::Integer(values) => vec![present, values.as_ptr().cast()],
            Values::Unsigned(values) => vec![present, values.as_ptr().cast()],
            Values::Real(values) => vec![present, values.as_ptr().cast()],
            Values::Flag(values) => vec![present, values.as_ptr().cast()],
        };
        Self::new(columns, column.absent, buffers, Vec::new())
    }

    /// `buffers` point into `columns`.
    fn new(
        columns: &Arc<Columns>,
        absent: usize,
        buffers: Vec<*const c_void>,
        children: Vec<*mut Self>,
    ) -> Self {
        let parts = boxed(ArrayParts { _columns: Arc::clone(columns), buffers, children });
        // SAFETY: it has just been made, and nobody else has it.
        let ArrayParts { buffers, children, .. } = unsafe { &mut *parts };
        Self {
            length: columns.rows as i64,
            null_count: absent as i64,
            offset: 0,
            n_buffers: buffers.len() as i64,
            n_children: children.len() as i64,
            buffers: buffers.as_mut_ptr(),
            children: children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private: parts.cast(),
        }
    }

    /// What stands for the end of a stream.
    fn end() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private: null_mut(),
        }
    }
}

impl Stream {
    /// A table in one piece.
    pub(crate) fn of(columns: Arc<Columns>) -> Self {
        Self {
            get_schema: stream_schema,
            get_next: stream_next,
            get_last_error: stream_error,
            release: Some(release_stream),
            private: boxed(Source { columns, is_over: false }).cast(),
        }
    }
}

/// A capsule that nobody has taken anything from frees what is in it.
impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it is ours, and `release` takes one that is not released.
            unsafe { release(self) }
        }
    }
}

/// As for [`Schema`].
impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as above.
            unsafe { release(self) }
        }
    }
}

/// As for [`Schema`].
impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as above.
            unsafe { release(self) }
        }
    }
}

fn boxed<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Keys and values as the interface has them: numbers of 32 bits, in the order of the machine, before each.
fn metadata(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: usize| {
        // Meanings are sentences.
        bytes.extend_from_slice(&i32::try_from(number).unwrap_or(0).to_ne_bytes());
    };
    number(&mut bytes, pairs.len());
    for text in pairs.iter().flat_map(|(key, value)| [key, value]) {
        number(&mut bytes, text.len());
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

/// # Safety
///
/// `schema` is one of [`Schema::new`] that is not released, or its bytes in another place.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: so says the caller. Children whose owner is somebody else by now have no `release`.
    unsafe {
        let parts = Box::from_raw((*schema).private.cast::<SchemaParts>());
        parts.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*schema).release = None;
    }
}

/// # Safety
///
/// `array` is one of [`Array::new`] that is not released, or its bytes in another place.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: so says the caller. Children whose owner is somebody else by now have no `release`.
    unsafe {
        let parts = Box::from_raw((*array).private.cast::<ArrayParts>());
        parts.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*array).release = None;
    }
}

/// # Safety
///
/// `stream` is one of [`Stream::of`] that is not released, or its bytes in another place.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: so says the caller.
    unsafe {
        drop(Box::from_raw((*stream).private.cast::<Source>()));
        (*stream).release = None;
    }
}

/// # Safety
///
/// `stream` as for [`release_stream`]; `out` is a place for a schema, with nothing in it.
unsafe extern "C" fn stream_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: so says the caller.
    unsafe { out.write(Schema::of(&(*(*stream).private.cast::<Source>()).columns)) };
    0
}

/// # Safety
///
/// `stream` as for [`release_stream`], by one thread at a time; `out` is a place for an array, with nothing in it.
unsafe extern "C" fn stream_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: so says the caller.
    unsafe {
        let source = &mut *(*stream).private.cast::<Source>();
        let next = if source.is_over { Array::end() } else { Array::of(&source.columns) };
        source.is_over = true;
        out.write(next);
    }
    0
}

/// Nothing fails.
unsafe extern "C" fn stream_error(_: *mut Stream) -> *const c_char {
    null()
}

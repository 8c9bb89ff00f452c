//! Symbols of Python are found when Python loads the module; a Mac's linker must be told so.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}

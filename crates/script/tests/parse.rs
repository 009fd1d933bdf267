use std::path::Path;
#[test]
fn six() {
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        match stopwise_script::read(&text) { Ok(f) => println!("{} ok", f.name), Err(e) => panic!("{e}") }
    }
}

//! Writes the requests of the golden cases into a folder, one a file, for a fuzzer to begin with.
//!
//! ```sh
//! cargo run -p wymcp-testkit --example corpus fuzz/corpus/receive
//! ```

use std::{env, fs, io, path::PathBuf};

use wymcp_testkit::Case;

/// What the fuzz targets take for the id of a session that there is.
const SESSION: &str = "5f3a";

/// Longer ones are about limits, which a fuzzer would only be slowed by.
const MOST: usize = 16 * 1024;

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("name the folder"))?;
    fs::create_dir_all(&folder)?;
    for case in Case::all() {
        let mut request = case.request;
        for (name, value) in &mut request.headers {
            if name.eq_ignore_ascii_case("mcp-session-id") && value.ends_with(b"{{session}}") {
                *value = SESSION.into();
            }
        }
        let bytes = request.to_bytes();
        if bytes.len() <= MOST {
            fs::write(folder.join(case.name.replace('/', "-")), bytes)?;
        }
    }
    Ok(())
}

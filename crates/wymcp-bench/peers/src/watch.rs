//! What the long checks look at: answers, and the memory of the server that gives them.

use std::{error::Error, fs, io::BufRead};

/// The next answer: its head, with names in lower case, and its body.
///
/// # Errors
///
/// The end of the connection, and an answer of no announced length or of no text.
pub fn answer(reader: &mut impl BufRead) -> Result<(String, String), Box<dyn Error>> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err("the connection ended".into());
        }
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.is_empty() {
            break;
        }
        head.push_str(&line);
        head.push('\n');
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((head, String::from_utf8(body)?))
}

/// The resident memory of a process, in KiB.
///
/// # Errors
///
/// A process that there is not.
pub fn resident(pid: u32) -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let value = line.ok_or("the process tells no memory")?;
    Ok(value.trim().trim_end_matches("kB").trim().parse()?)
}

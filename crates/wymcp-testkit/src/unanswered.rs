//! What a connection has sent: which request an answer belongs to.

/// The bytes of the requests that are not answered yet.
#[derive(Debug, Default)]
pub(crate) struct Unanswered(Vec<u8>);

impl Unanswered {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Takes the oldest request, and gives its body: as much of it as was sent.
    pub(crate) fn next_body(&mut self) -> Vec<u8> {
        // Some hosts take lines that end with LF alone.
        let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
        let Some(head) = self.take_to(&ends) else {
            return Vec::new();
        };
        let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
        let header = |name| {
            let mut lines = head.lines().filter_map(|line| line.split_once(':'));
            lines.find_map(|(line, value)| (line == name).then(|| value.trim().to_owned()))
        };
        if header("transfer-encoding").is_some() {
            return self.take_chunks();
        }
        let length = header("content-length").and_then(|length| length.parse().ok());
        self.take(length.unwrap_or(0))
    }

    fn take_chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        while let Some(line) = self.take_to(&[b"\r\n"]) {
            let line = String::from_utf8_lossy(&line).into_owned();
            let length = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
            body.extend(self.take(length));
            self.take(2);
            if length == 0 {
                break;
            }
        }
        body
    }

    /// What comes up to the first of these ends.
    fn take_to(&mut self, ends: &[&[u8]]) -> Option<Vec<u8>> {
        let position = |end: &&[u8]| {
            let mut parts = self.0.windows(end.len());
            Some(parts.position(|part| part == *end)? + end.len())
        };
        let at = ends.iter().filter_map(position).min()?;
        Some(self.take(at))
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let length = length.min(self.0.len());
        self.0.drain(..length).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Unanswered;

    #[test]
    fn each_request_has_its_own_body_however_it_is_framed() {
        let mut unanswered = Unanswered::default();
        unanswered.push(b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n");
        unanswered.push(b"POST /mcp HTTP/1.1\r\nContent-Length: 3\r\n\r\none");
        unanswered.push(b"POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ntw\r\n1\r\no\r\n0\r\n\r\n");
        unanswered.push(b"POST /mcp HTTP/1.1\nContent-Length: 4\n\nfour");
        unanswered.push(b"POST /mcp HTTP/1.1\r\ncontent-length:  90 \r\n\r\nthr");
        unanswered.push(b"ee");
        let bodies = [(); 6].map(|()| unanswered.next_body());
        assert_eq!(
            bodies,
            [b"".as_slice(), b"one", b"two", b"four", b"three", b""]
        );
    }
}

//! Where hosts differ below an adapter: requests of which a host may make what it likes, and what it makes of them.

use super::requests::{echo, echoing};
use crate::{Adapter, Connection};

/// A request of which a host may make what it likes: in words, and as bytes.
struct Oddity(&'static str, Vec<u8>);

/// Sends each request of which a host may make what it likes, and holds what comes back against a column of a table in
/// Markdown: whose first column says what is sent, and whose cells give the status and who answers, `200 server` or
/// `400 host`. So a new version of a host cannot become looser unseen.
///
/// # Panics
///
/// When the page has no such column, or its table has other rows or other answers: the text says which, and has the column
/// as it should be.
///
/// # Examples
///
/// ```no_run
/// # use wymcp::Server;
/// # use wymcp_testkit::{Adapter, Served};
/// # struct MyAdapter;
/// # impl Adapter for MyAdapter {
/// #     fn serve(&self, _: Server) -> Served { todo!() }
/// # }
/// let page = std::fs::read_to_string("docs/hosts.md").unwrap();
/// wymcp_testkit::check_parity(&MyAdapter, &page, "my host");
/// ```
pub fn check_parity(adapter: &impl Adapter, page: &str, column: &str) {
    let host = adapter.serve(echoing().build().unwrap());
    let seen = requests().into_iter().map(|Oddity(words, bytes)| {
        let mut connection = Connection::open(host.address()).unwrap();
        // Read by its head alone, since no request is judged that hosts read each in their own way.
        let answer = match connection.open_stream(bytes) {
            Ok(head) => {
                let head = head.to_ascii_lowercase();
                let by_server = head.contains("\r\ncontent-type: application/json\r\n");
                let status = head.split(' ').nth(1).unwrap_or_default();
                format!("{status} {}", if by_server { "server" } else { "host" })
            }
            Err(_) => "no answer".to_owned(),
        };
        (words.to_owned(), answer)
    });
    let seen: Vec<_> = seen.collect();
    let shown = seen
        .iter()
        .map(|(words, answer)| format!("| {words} | {answer} |\n"));
    let shown = shown.collect::<String>();
    let stated = column_of(page, column)
        .unwrap_or_else(|| panic!("the page has no column `{column}`. It is due:\n\n{shown}"));
    let differences = differences(&stated, &seen);
    assert!(
        differences.is_empty(),
        "the table differs from what {column} answers:\n{}\nThe whole column:\n\n{shown}",
        differences.join("\n")
    );
}

/// What a request is in words, and what is answered.
type Cells = (String, String);

/// Which rows differ, in words.
fn differences(stated: &[Cells], seen: &[Cells]) -> Vec<String> {
    let find = |rows: &[Cells], words: &str| {
        let row = rows.iter().find(|(row, _)| row == words);
        row.map(|(_, answer)| answer.clone())
    };
    let answered = seen.iter().filter_map(|(words, answer)| {
        let stated = find(stated, words);
        match stated {
            None => Some(format!(
                "row \"{words}\" is not in the table: it answers {answer}"
            )),
            Some(stated) if stated == *answer => None,
            Some(stated) => Some(format!(
                "row \"{words}\": the table says {stated}, it answers {answer}"
            )),
        }
    });
    let unknown = stated
        .iter()
        .filter(|(words, _)| find(seen, words).is_none());
    let unknown = unknown.map(|(words, _)| format!("row \"{words}\": nothing is sent for it"));
    let mut all: Vec<_> = answered.chain(unknown).collect();
    if all.is_empty() && stated != seen {
        all.push("the rows stand in another order, or twice".to_owned());
    }
    all
}

/// The first column of the table that has such a column, and that column.
fn column_of(page: &str, column: &str) -> Option<Vec<Cells>> {
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim().trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = page
        .lines()
        .skip_while(|line| !cells(line).iter().any(|cell| cell == column));
    let names = lines.next().map(cells)?;
    let at = names.iter().position(|name| name == column)?;
    let rows = lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(cells);
    let both = |row: Vec<String>| Some((row.first()?.clone(), row.get(at)?.clone()));
    rows.map(|row| both(row).unwrap_or_default())
        .map(Some)
        .collect()
}

/// Each is a call that is answered with 200, but for what is said of it.
fn requests() -> Vec<Oddity> {
    let usual = Usual::new();
    let mut requests = heads(&usual);
    requests.extend(framings(&usual));
    requests.extend(targets_and_sizes(&usual));
    requests
}

/// A request with nothing unusual, to be changed in one thing.
struct Usual {
    text: String,
    body: String,
    /// The line that announces the body.
    announced: String,
}

impl Usual {
    fn new() -> Self {
        let request = echo(1, "x");
        let body = request.body();
        let announced = format!("Content-Length: {}\r\n", body.len());
        let text = format!("{}{announced}\r\n{body}", request.head());
        Self {
            text,
            body,
            announced,
        }
    }

    fn replaced(&self, words: &'static str, this: &str, by: &str) -> Oddity {
        assert!(self.text.contains(this), "{this}");
        Oddity(words, self.text.replacen(this, by, 1).into_bytes())
    }

    /// The body, in one chunk.
    fn chunks(&self) -> String {
        format!("{:x}\r\n{}\r\n0\r\n\r\n", self.body.len(), self.body)
    }

    /// With another header line.
    fn line(&self, words: &'static str, line: &str) -> Oddity {
        let host = "Host: localhost\r\n";
        self.replaced(words, host, &format!("{host}{line}\r\n"))
    }

    /// With the body framed in another way.
    fn framed(&self, words: &'static str, framing: &str, body: &str) -> Oddity {
        let head = self.text.split(&self.announced).next().unwrap_or_default();
        Oddity(words, format!("{head}{framing}\r\n{body}").into_bytes())
    }

    /// With a byte in a value.
    fn value(&self, words: &'static str, byte: u8) -> Oddity {
        let mut bytes = self.text.clone().into_bytes();
        let at = self.text.find("Mcp-Name: echo").unwrap() + "Mcp-Name: ".len();
        bytes[at] = byte;
        Oddity(words, bytes)
    }
}

fn heads(usual: &Usual) -> Vec<Oddity> {
    vec![
        Oddity("nothing unusual", usual.text.clone().into_bytes()),
        usual.replaced("no `Host`", "Host: localhost\r\n", ""),
        usual.line("two equal `Host` lines", "Host: localhost"),
        usual.line("two different `Host` lines", "Host: evil.example"),
        usual.replaced(
            "target `http://localhost/mcp`",
            "POST /mcp",
            "POST http://localhost/mcp",
        ),
        usual.replaced(
            "target `http://evil.example/mcp`",
            "POST /mcp",
            "POST http://evil.example/mcp",
        ),
        usual.line("two `Mcp-Method` lines", "Mcp-Method: tools/call"),
        usual.value("a byte E9 in a value", 0xE9),
        usual.value("a byte 00 in a value", 0),
        usual.line("a folded line", "X-Folded: a\r\n b"),
        usual.line("a space before the colon", "X-Spaced : a"),
        usual.line(
            "`Upgrade: websocket`",
            "Connection: upgrade\r\nUpgrade: websocket",
        ),
        usual.framed(
            "`Upgrade: websocket`, and less announced than sent",
            "Content-Length: 1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n",
            &usual.body,
        ),
        usual.framed(
            "`Upgrade: websocket`, and nothing announced",
            "Content-Length: 0\r\nConnection: upgrade\r\nUpgrade: websocket\r\n",
            "",
        ),
        usual.framed(
            "`Upgrade: websocket` without a length",
            "Connection: upgrade\r\nUpgrade: websocket\r\n",
            "",
        ),
        usual.framed(
            "`Upgrade: websocket` and chunks",
            "Transfer-Encoding: chunked\r\nConnection: upgrade\r\nUpgrade: websocket\r\n",
            &usual.chunks(),
        ),
        Oddity(
            "lines that end with LF alone",
            usual.text.replace("\r\n", "\n").into_bytes(),
        ),
    ]
}

fn framings(usual: &Usual) -> Vec<Oddity> {
    let Usual {
        body, announced, ..
    } = usual;
    let length = body.len();
    let chunks = usual.chunks();
    let chunked = "Transfer-Encoding: chunked\r\n";
    let trailed = |trailers: &str| chunks.replacen("0\r\n\r\n", &format!("0\r\n{trailers}\r\n"), 1);
    vec![
        usual.framed(
            "`Content-Length` with a sign",
            &format!("Content-Length: +{length}\r\n"),
            body,
        ),
        usual.framed(
            "two equal `Content-Length` lines",
            &announced.repeat(2),
            body,
        ),
        usual.framed(
            "two different `Content-Length` lines",
            &format!("{announced}Content-Length: 1\r\n"),
            body,
        ),
        usual.framed(
            "`Content-Length` and chunks",
            &format!("{announced}Transfer-Encoding: chunked\r\n"),
            &chunks,
        ),
        usual.framed(
            "`Transfer-Encoding: chunked` twice",
            &"Transfer-Encoding: chunked\r\n".repeat(2),
            &chunks,
        ),
        usual.framed(
            "`Transfer-Encoding: chunked, gzip`",
            "Transfer-Encoding: chunked, gzip\r\n",
            &chunks,
        ),
        usual.framed(
            "`Transfer-Encoding: gzip, chunked`",
            "Transfer-Encoding: gzip, chunked\r\n",
            &chunks,
        ),
        usual.framed(
            "`Transfer-Encoding: , chunked`",
            "Transfer-Encoding: , chunked\r\n",
            &chunks,
        ),
        usual.framed(
            "`Content-Length: 18446744073709551615`",
            "Content-Length: 18446744073709551615\r\n",
            body,
        ),
        usual.framed(
            "a chunk extension of 20 KB",
            chunked,
            &chunks.replacen("\r\n", &format!(";x={}\r\n", "a".repeat(20_000)), 1),
        ),
        usual.framed(
            "150 trailers",
            chunked,
            &trailed(&"X-Trailer: a\r\n".repeat(150)),
        ),
        usual.framed(
            "a trailer of 100 KB",
            chunked,
            &trailed(&format!("X-Trailer: {}\r\n", "a".repeat(100_000))),
        ),
    ]
}

fn targets_and_sizes(usual: &Usual) -> Vec<Oddity> {
    vec![
usual.replaced("target `/%6dcp`", "POST /mcp", "POST /%6dcp"),
usual.replaced(
            "a target of 60 KB",
            "POST /mcp",
            &format!("POST /mcp?{}", "a".repeat(60_000)),
        ),
usual.replaced(
            "a target of 70 KB",
            "POST /mcp",
            &format!("POST /mcp?{}", "a".repeat(70_000)),
        ),
usual.replaced("`CONNECT`", "POST /mcp", "CONNECT localhost:80"),
Oddity(
            "a GET with `Upgrade: websocket`",
            b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n".to_vec(),
        ),
usual.line("90 more header lines", &vec!["X-More: a"; 90].join("\r\n")),
usual.line("99 more header lines", &vec!["X-More: a"; 99].join("\r\n")),
usual.line(
            "a value of 200 KB",
            &format!("X-Long: {}", "a".repeat(200_000)),
        ),
usual.line(
            "a value of 600 KB",
            &format!("X-Long: {}", "a".repeat(600_000)),
        ),
    ]
}

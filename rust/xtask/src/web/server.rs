//! A small HTTP server on this machine alone: it sends the files of the game, and receives what its page reports.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use anyhow::{Context, Result};

use crate::files;

/// The longest report. An image has a few megabytes.
const LONGEST: usize = 64 << 20;

/// What the page has sent to `/report/KIND`.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Report {
    pub(super) kind: String,
    pub(super) body: Vec<u8>,
}

/// A server that runs until the program ends.
pub(super) struct Server {
    address: SocketAddr,
    reports: Receiver<Report>,
}

impl Server {
    /// Serves the files that are in `folder` now, on a free port.
    pub(super) fn start(folder: &Path) -> Result<Self> {
        let found = files::walk(folder)?;
        let named = found.into_iter().filter_map(|path| {
            let name = path.strip_prefix(folder).ok()?.to_str()?.to_owned();
            Some((name, path))
        });
        let files: Arc<BTreeMap<String, PathBuf>> = Arc::new(named.collect());
        let listener = TcpListener::bind("127.0.0.1:0").context("cannot open a port")?;
        let address = listener.local_addr().context("the port has no number")?;
        let (sender, reports) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (files, sender) = (files.clone(), sender.clone());
                // A browser that closes a connection early misses nothing.
                thread::spawn(move || answer(&stream, &files, &sender));
            }
        });
        Ok(Self { address, reports })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn reports(&self) -> &Receiver<Report> {
        &self.reports
    }
}

fn answer(
    stream: &TcpStream,
    files: &BTreeMap<String, PathBuf>,
    reports: &Sender<Report>,
) -> Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let request = Request::parse(&head);
    let (status, kind, content) = match request {
        Some(Request::File(name)) => match files.get(name) {
            Some(path) => ("200 OK", media_type(name), fs::read(path)?),
            None => ("404 Not Found", "text/plain", Vec::new()),
        },
        Some(Request::Report { kind, length }) => {
            let mut body = vec![0; length];
            reader.read_exact(&mut body)?;
            reports.send(Report {
                kind: kind.to_owned(),
                body,
            })?;
            ("200 OK", "text/plain", Vec::new())
        }
        None => ("400 Bad Request", "text/plain", Vec::new()),
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    )?;
    Ok(stream.write_all(&content)?)
}

#[derive(Debug, Eq, PartialEq)]
enum Request<'a> {
    File(&'a str),
    Report { kind: &'a str, length: usize },
}

impl<'a> Request<'a> {
    fn parse(head: &'a str) -> Option<Self> {
        let mut words = head.lines().next()?.split(' ');
        let (method, target) = (words.next()?, words.next()?);
        let path = target.split('?').next()?.strip_prefix('/')?;
        match method {
            "GET" => Some(Self::File(path)),
            "POST" => {
                let length = head.lines().find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case("content-length")
                        .then(|| value.trim().parse().ok())?
                })?;
                let kind = path.strip_prefix("report/")?;
                (length <= LONGEST).then_some(Self::Report { kind, length })
            }
            _ => None,
        }
    }
}

/// The type of a file. Browsers compile WebAssembly while it arrives only if it has its type.
fn media_type(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ask(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    #[test]
    fn files_are_sent_and_reports_received() {
        let folder = std::env::temp_dir().join(format!("flow_swarm_server_{}", std::process::id()));
        files::fresh_folder(&folder).expect("a temporary folder");
        fs::write(folder.join("game.wasm"), "abc").expect("a file");
        let server = Server::start(&folder).expect("a free port");
        let answer = ask(&server, "GET /game.wasm?x=1 HTTP/1.1\r\nHost: a\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("application/wasm"), "{answer}");
        assert!(answer.ends_with("\r\n\r\nabc"), "{answer}");
        let post = "POST /report/line HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello";
        assert!(ask(&server, post).starts_with("HTTP/1.1 200 OK\r\n"));
        let report = server.reports().recv_timeout(Duration::from_secs(10));
        assert_eq!(
            report.expect("it was sent"),
            Report {
                kind: "line".into(),
                body: b"hello".to_vec()
            }
        );
        fs::remove_dir_all(folder).expect("cleaning up");
    }

    #[test]
    fn only_files_of_the_folder_are_sent() {
        let folder = std::env::temp_dir().join(format!("flow_swarm_served_{}", std::process::id()));
        files::fresh_folder(&folder.join("game")).expect("a temporary folder");
        fs::write(folder.join("secret"), "abc").expect("a file");
        let server = Server::start(&folder.join("game")).expect("a free port");
        for path in ["/../secret", "/secret", "/"] {
            let answer = ask(&server, &format!("GET {path} HTTP/1.1\r\n\r\n"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        }
        let other = ask(&server, "PUT /game HTTP/1.1\r\n\r\n");
        assert!(other.starts_with("HTTP/1.1 400"), "{other}");
        fs::remove_dir_all(folder).expect("cleaning up");
    }
}

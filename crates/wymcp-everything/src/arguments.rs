//! What the command line says.

/// What hosts the server.
#[derive(Clone, Copy)]
pub(crate) enum Host {
    Axum,
    Actix,
    Stdio,
}

pub(crate) struct Arguments {
    pub(crate) host: Host,
    pub(crate) port: u16,
    /// What a client has to know.
    pub(crate) token: Option<String>,
}

const USAGE: &str =
    "usage: wymcp-everything [--host-framework axum|actix] [--port N] [--token TOKEN] | --stdio";

impl Arguments {
    /// Reads the process's own.
    pub(crate) fn read() -> Result<Self, String> {
        let mut read = Self {
            host: Host::Axum,
            port: 3001,
            token: None,
        };
        // Lossy: the strict iterator panics on an argument that is no Unicode.
        let mut words = std::env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned());
        while let Some(option) = words.next() {
            if option == "--stdio" {
                read.host = Host::Stdio;
                continue;
            }
            let value = words.next().ok_or(USAGE)?;
            match (&*option, &*value) {
                ("--host-framework", "axum") => read.host = Host::Axum,
                ("--host-framework", "actix") => read.host = Host::Actix,
                ("--port", port) => {
                    read.port = port
                        .parse()
                        .map_err(|_| format!("--port {port:?}: write a number from 0 to 65535"))?;
                }
                ("--token", _) => read.token = Some(value),
                _ => return Err(USAGE.to_owned()),
            }
        }
        match read {
            Self {
                host: Host::Stdio,
                token: Some(_),
                ..
            } => Err("--token: on standard input nobody is asked for one".to_owned()),
            read => Ok(read),
        }
    }
}

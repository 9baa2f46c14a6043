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

/// How the program is started.
pub(crate) const USAGE: &str =
    "usage: wymcp-everything [--host-framework axum|actix] [--port N] [--token TOKEN] | --stdio";

/// Whether somebody asks for the usage.
pub(crate) fn ask_for_help() -> bool {
    std::env::args_os()
        .skip(1)
        .any(|word| word == "--help" || word == "-h")
}

impl Arguments {
    /// Reads the process's own.
    pub(crate) fn read() -> Result<Self, String> {
        let (mut framework, mut port, mut token, mut stdio) = (None, None, None, false);
        // Lossy: the strict iterator panics on an argument that is no Unicode.
        let mut words = std::env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned());
        while let Some(option) = words.next() {
            if option == "--stdio" {
                stdio = true;
                continue;
            }
            let value = words.next().ok_or(USAGE)?;
            match (&*option, &*value) {
                ("--host-framework", "axum") => framework = Some(Host::Axum),
                ("--host-framework", "actix") => framework = Some(Host::Actix),
                ("--port", number) => {
                    let number = number.parse().map_err(|_| {
                        format!("--port {number:?}: write a number from 0 to 65535")
                    })?;
                    port = Some(number);
                }
                ("--token", _) => token = Some(value),
                _ => return Err(USAGE.to_owned()),
            }
        }
        if stdio && token.is_some() {
            return Err("--token: on standard input nobody is asked for one".to_owned());
        }
        if stdio && (port.is_some() || framework.is_some()) {
            return Err(
                "--stdio: standard input has neither a port nor a host framework".to_owned(),
            );
        }
        let http = framework.unwrap_or(Host::Axum);
        Ok(Self {
            host: if stdio { Host::Stdio } else { http },
            port: port.unwrap_or(3001),
            token,
        })
    }
}

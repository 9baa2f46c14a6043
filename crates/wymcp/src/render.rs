//! Events as records of `tracing`.

use wymcp_core::{Called, ErrorKind, Event, Fault, Sent};

/// The target of every record, for filters.
pub(crate) const TARGET: &str = "wymcp";

/// Renders one event as a structured record: rejections at info, authentication at warn, faults at error, the course
/// of calls at debug.
///
/// Texts are recorded as strings, which subscribers show quoted and escaped: a fault that quotes a peer forges no line.
///
/// The default of [`ServerBuilder::on_event`](crate::ServerBuilder::on_event); call it from a function of your own to
/// count events and log them too.
///
/// # Examples
///
/// ```
/// use std::{io::Read as _, sync::Arc};
///
/// use wymcp::{Event, render};
///
/// let (mut log, writer) = std::io::pipe()?;
/// let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_writer(Arc::new(writer));
/// tracing::subscriber::with_default(subscriber.finish(), || {
///     render(&Event::BodyIncomplete { detail: "gone\nERROR wymcp: all is lost".to_owned() });
/// });
/// let mut text = String::new();
/// log.read_to_string(&mut text)?;
/// assert!(text.contains("body incomplete"));
/// assert_eq!(text.lines().count(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[expect(clippy::too_many_lines, reason = "one record for each event")]
pub fn render(event: &Event) {
    match event {
        Event::Rejected {
            reason,
            request,
            detail,
        } => {
            let sent = Fields::of(request);
            tracing::info!(
                target: TARGET, ?reason, http_method = sent.http_method, method = sent.method,
                request_id = sent.request_id, detail, "rejected"
            );
        }
        Event::AuthRejected {
            reason,
            request,
            detail,
        } => {
            let sent = Fields::of(request);
            tracing::warn!(
                target: TARGET, ?reason, http_method = sent.http_method, method = sent.method,
                request_id = sent.request_id, detail, "authentication refused"
            );
        }
        Event::AuthFailed { request, fault } => {
            let sent = Fields::of(request);
            tracing::error!(
                target: TARGET, http_method = sent.http_method, method = sent.method, request_id = sent.request_id,
                fault, "authenticator failed"
            );
        }
        Event::BodyIncomplete { detail } => {
            tracing::debug!(target: TARGET, detail, "body incomplete");
        }
        Event::Accepted { request } => {
            let sent = Fields::of(request);
            tracing::debug!(target: TARGET, method = sent.method, "notification accepted");
        }
        Event::ToolStarted { call } => {
            let Called {
                tool,
                action,
                request_id,
                ..
            } = call;
            let action = action.as_deref();
            tracing::debug!(target: TARGET, %tool, action, %request_id, "tool started");
        }
        Event::ToolStopped {
            call,
            duration,
            error,
        } => {
            let Called {
                tool,
                action,
                request_id,
                ..
            } = call;
            let (action, error) = (action.as_deref(), error.map(kind));
            tracing::debug!(target: TARGET, %tool, action, %request_id, ?duration, error, "tool stopped");
        }
        Event::ToolCancelled { call, duration } => {
            let Called {
                tool,
                action,
                request_id,
                ..
            } = call;
            let action = action.as_deref();
            tracing::debug!(target: TARGET, %tool, action, %request_id, ?duration, "tool cancelled");
        }
        Event::ToolFaulted { call, fault } => {
            let Called {
                tool,
                action,
                request_id,
                ..
            } = call;
            let (action, why) = (action.as_deref(), fault.to_string());
            if *fault == Fault::InputEnded {
                tracing::info!(target: TARGET, %tool, action, %request_id, fault = why, "tool cut short");
            } else {
                tracing::error!(target: TARGET, %tool, action, %request_id, fault = why, "tool faulted");
            }
        }
        Event::MethodFaulted {
            method,
            request_id,
            fault,
        } => {
            let why = fault.to_string();
            if *fault == Fault::InputEnded {
                tracing::info!(target: TARGET, method, %request_id, fault = why, "method cut short");
            } else {
                tracing::error!(target: TARGET, method, %request_id, fault = why, "method faulted");
            }
        }
        Event::HelpCalled {
            level,
            tool,
            action,
            is_error,
        } => {
            tracing::debug!(target: TARGET, ?level, tool, action, is_error, "help called");
        }
        Event::StreamOpened => tracing::debug!(target: TARGET, "stream opened"),
        Event::StreamClosed { cancelled, dropped } => {
            tracing::debug!(target: TARGET, cancelled, dropped, "stream closed");
        }
        Event::SealedWithOwnKey => tracing::warn!(
            target: TARGET,
            "a question, or a session, was sealed with a key of this process's own: with several replicas, or to survive a \
             restart, configure sealing_keys"
        ),
        Event::SessionOpened { version } => {
            tracing::debug!(target: TARGET, %version, "session opened");
        }
        Event::SessionEnded => tracing::debug!(target: TARGET, "session ended"),
        Event::AnswerIgnored { question } => {
            tracing::debug!(target: TARGET, %question, "answer ignored");
        }
        Event::LastEventIdIgnored => tracing::debug!(target: TARGET, "last event id ignored"),
        // An event that a newer core knows.
        other => tracing::info!(target: TARGET, event = ?other, "event"),
    }
}

struct Fields<'e> {
    http_method: Option<&'e str>,
    method: Option<&'e str>,
    request_id: Option<String>,
}

impl<'e> Fields<'e> {
    fn of(sent: &'e Sent) -> Self {
        Self {
            http_method: sent.http_method.as_deref(),
            method: sent.method.as_deref(),
            request_id: sent.request_id.as_ref().map(ToString::to_string),
        }
    }
}

fn kind(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Dispatch => "dispatch",
        _ => "tool",
    }
}

//! What the application lent, given back so that it can harm nobody.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use wymcp_core::drop_contained;

/// Something that holds code of the application's. It may panic when it is dropped; that reaches nobody.
pub(crate) struct Contained<T>(Option<T>);

impl<T> Contained<T> {
    pub(crate) fn new(lent: T) -> Self {
        Self(Some(lent))
    }
}

impl<F: Future + Unpin> Future for Contained<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        match &mut self.0 {
            Some(run) => Pin::new(run).poll(context),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for Contained<T> {
    fn drop(&mut self) {
        drop_contained(self.0.take());
    }
}

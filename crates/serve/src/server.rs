//! Listening, and ending in order.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::budget::ANSWERS;
use crate::connection::{Shared, answer};
use crate::desk::Desk;
use crate::gate::Gate;
use crate::patient::Patient;
use crate::race::{First, first};

/// The most connections; a browser has six.
const CONNECTIONS: usize = 256;
/// How long a connection may take to ask, and be idle after an answer.
const ASKING: Duration = Duration::from_secs(10);
/// How long a reader may take nothing of its answer.
const STALLED: Duration = Duration::from_secs(20);
/// The most bytes of the head of a request, and its most lines.
const HEAD: usize = 64 << 10;
const LINES: usize = 64;
/// How long answers may take to end when the page does.
const GRACE: Duration = Duration::from_millis(1200);
/// The stack of the threads that answer: policies are compiled on them, and the deepest condition takes more than two
/// megabytes.
const STACK: usize = 8 << 20;

/// Where the page is, and how much it does at once.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The threads of all answers together; at least 1.
    pub threads: usize,
}

/// A page that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    gate: Gate,
    threads: usize,
    ending: watch::Receiver<bool>,
    end: Ending,
}

/// Asks a page to end in order.
#[derive(Clone)]
pub struct Ending(Arc<watch::Sender<bool>>);

impl Ending {
    /// Asks.
    pub fn end(&self) {
        self.0.send_replace(true);
    }
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ending").finish_non_exhaustive()
    }
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    ///
    /// If it is taken, or the address is none of this machine's.
    pub fn open(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::new(settings.host, settings.port))?;
        listener.set_nonblocking(true)?;
        let gate = Gate::new(listener.local_addr()?, token()?);
        let (end, ending) = watch::channel(false);
        let end = Ending(Arc::new(end));
        Ok(Self { listener, gate, threads: settings.threads, ending, end })
    }

    /// The address to open in a browser.
    #[must_use]
    pub fn address(&self) -> String {
        self.gate.address()
    }

    /// The address to open in a browser on another machine of the network; `None` where the page is for this machine alone, or
    /// where this machine does not know by which address others have it.
    #[must_use]
    pub fn address_for_others(&self) -> Option<String> {
        self.gate.address_for_others()
    }

    /// What ends it.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.end.clone()
    }

    /// Answers until it is asked to end.
    ///
    /// # Errors
    ///
    /// If the system cannot listen.
    pub fn serve(self, desk: Arc<dyn Desk>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(ANSWERS)
            .thread_stack_size(STACK)
            .thread_name("answer")
            .build()?;
        let Self { listener, gate, threads, mut ending, .. } = self;
        let shared = Arc::new(Shared::new(gate, desk, threads));
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let rooms = Arc::new(Semaphore::new(CONNECTIONS));
            let told = ending.clone();
            let mut end = pin!(ended(&mut ending));
            loop {
                match first(pin!(listener.accept()), end.as_mut()).await {
                    First::Other(()) => break,
                    First::One(Ok((stream, _))) => {
                        // Whoever finds no room is let go at once.
                        if let Ok(room) = Arc::clone(&rooms).try_acquire_owned() {
                            tokio::spawn(connected(Arc::clone(&shared), stream, told.clone(), room));
                        }
                    }
                    // Files may have run out: others have to be closed first.
                    First::One(Err(_)) => sleep(Duration::from_millis(50)).await,
                }
            }
            drop(listener);
            let all = u32::try_from(CONNECTIONS).unwrap_or(u32::MAX);
            let _ = timeout(GRACE, rooms.acquire_many(all)).await;
            Ok(())
        });
        runtime.shutdown_timeout(Duration::from_millis(300));
        served
    }
}

/// When the page is asked to end.
async fn ended(ending: &mut watch::Receiver<bool>) {
    // Without a sender nobody will ask, and so it is over.
    let _ = ending.wait_for(|&is_ending| is_ending).await;
}

/// A connection, until it is closed.
async fn connected(
    shared: Arc<Shared>,
    stream: TcpStream,
    mut ending: watch::Receiver<bool>,
    room: OwnedSemaphorePermit,
) {
    // Answers are small, and wanted at once.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| answer(Arc::clone(&shared), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ASKING)
        .max_buf_size(HEAD)
        .max_headers(LINES)
        .serve_connection(TokioIo::new(Patient::new(stream, STALLED)), service);
    let mut connection = pin!(connection);
    // What goes wrong on a connection is the matter of who closed it.
    if let First::Other(()) = first(connection.as_mut(), pin!(ended(&mut ending))).await {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(GRACE, connection).await;
    }
    drop(room);
}

/// A word that nobody guesses.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

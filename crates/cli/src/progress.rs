//! How far a run is: a bar on a terminal, else a plain line every ten seconds.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::output;
use crate::panel::Style;

/// How often a plain line is written.
const EVERY: Duration = Duration::from_secs(10);
/// How often a bar is redrawn although nothing happened.
const TICK: Duration = Duration::from_millis(500);

/// Tells the user which points are done and which are in work, until it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    state: Arc<Mutex<State>>,
    bar: Option<ProgressBar>,
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The points so far.
#[derive(Debug)]
struct State {
    title: String,
    points: usize,
    done: usize,
    working: BTreeMap<usize, String>,
    started: Instant,
}

impl Progress {
    /// Starts to tell about `points` points of `title`.
    pub(crate) fn start(title: &str, points: usize, style: Style) -> Self {
        let (title, working) = (title.to_owned(), BTreeMap::new());
        let state = State { title, points, done: 0, working, started: Instant::now() };
        let state = Arc::new(Mutex::new(state));
        let bar = (style == Style::Bar).then(|| bar(points));
        let ticker = (style == Style::Lines).then(|| ticker(Arc::clone(&state)));
        Self { state, bar, ticker }
    }

    /// A point is in work from now on.
    pub(crate) fn on_start(&self, index: usize, name: String) {
        let mut state = lock(&self.state);
        state.working.insert(index, name);
        if let Some(bar) = &self.bar {
            bar.set_message(state.names());
        }
    }

    /// A point is done.
    pub(crate) fn on_end(&self, index: usize) {
        let mut state = lock(&self.state);
        state.working.remove(&index);
        state.done += 1;
        if let Some(bar) = &self.bar {
            bar.set_message(state.names());
            bar.inc(1);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if let Some((sender, thread)) = self.ticker.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

impl State {
    /// The points in work.
    fn names(&self) -> String {
        let names: Vec<&str> = self.working.values().map(String::as_str).collect();
        names.join(" | ")
    }

    /// A line about all of it.
    fn line(&self) -> String {
        let seconds = self.started.elapsed().as_secs();
        let (title, done, points) = (&self.title, self.done, self.points);
        let names = self.names();
        format!(
            "superclos: {title}: {done}/{points} points done after {seconds} s, in work: {names}"
        )
    }
}

fn bar(points: usize) -> ProgressBar {
    let template = "{bar:30} {pos}/{len} points, {elapsed} gone, {left} left  {wide_msg}";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let style = style.with_key("left", left);
    let bar = ProgressBar::new(points as u64).with_style(style);
    bar.enable_steady_tick(TICK);
    bar
}

/// The time left by the points so far; unknown before the first is done.
fn left(state: &ProgressState, out: &mut dyn Write) {
    let text = match state.pos() {
        0 => "?".to_owned(),
        _ => HumanDuration(state.eta()).to_string(),
    };
    let _ = out.write_str(&text);
}

/// Writes a line every ten seconds until the sender is dropped.
fn ticker(state: Arc<Mutex<State>>) -> (Sender<()>, JoinHandle<()>) {
    let (sender, receiver) = channel();
    let thread = spawn(move || {
        while receiver.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            let line = lock(&state).line();
            output::say(&line);
        }
    });
    (sender, thread)
}

/// A point that panicked leaves the state as good as it was.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

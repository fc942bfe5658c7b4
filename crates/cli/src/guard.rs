//! Limits of memory and time on a run: watched while it goes, by a thread of its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use report::show;

/// How often memory and time are looked at.
const EVERY: Duration = Duration::from_millis(20);

/// The limits that the user has set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// Bytes of memory of the whole program.
    pub(crate) memory: Option<u128>,
    /// Time on the wall, from the first point on.
    pub(crate) time: Option<Duration>,
}

/// Watches over a run until it is dropped.
#[derive(Debug)]
pub(crate) struct Guard {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What was overrun, if anything was.
static OVERRUN: OnceLock<String> = OnceLock::new();

impl Guard {
    /// Sets `stop` once a limit is overrun.
    pub(crate) fn start(limits: Limits, stop: &'static AtomicBool) -> Self {
        if limits.memory.is_none() && limits.time.is_none() {
            return Self { thread: None };
        }
        let started = Instant::now();
        let (sender, receiver) = channel();
        let watching = spawn(move || {
            while receiver.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Some(what) = limits.overrun(started.elapsed(), resident()) {
                    let _ = OVERRUN.set(what);
                    stop.store(true, Ordering::SeqCst);
                    return;
                }
            }
        });
        Self { thread: Some((sender, watching)) }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

impl Limits {
    /// Which limit is overrun after so long and with so much memory.
    fn overrun(&self, elapsed: Duration, resident: Option<u128>) -> Option<String> {
        if let Some(most) = self.time.filter(|&most| elapsed > most) {
            return Some(format!("--max-time {most:?} is over"));
        }
        let most = self.memory?;
        let found = resident.filter(|&found| found > most)?;
        let (found, most) = (show::bytes(found), show::bytes(most));
        Some(format!("{found} of memory are more than --max-memory {most}"))
    }
}

/// What was overrun, if anything was.
pub(crate) fn overrun() -> Option<&'static str> {
    OVERRUN.get().map(String::as_str)
}

/// The memory of this process in bytes; `None` where the system does not tell (it does on Linux, in
/// `/proc/self/status`).
pub(crate) fn resident() -> Option<u128> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u128 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_overrun_when_more_is_found() {
        let limits = Limits { memory: Some(1_000_000), time: Some(Duration::from_secs(2)) };
        let (short, long) = (Duration::from_secs(2), Duration::from_millis(2_001));
        assert_eq!(limits.overrun(short, Some(1_000_000)), None);
        assert_eq!(limits.overrun(short, None), None, "what cannot be measured is not judged");
        let why = limits.overrun(short, Some(1_500_000)).unwrap();
        assert_eq!(why, "1.500 MB of memory are more than --max-memory 1.000 MB");
        assert_eq!(limits.overrun(long, None).unwrap(), "--max-time 2s is over");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_measured_on_linux() {
        assert!(resident().unwrap() > 1_000_000);
    }
}

//! Time and memory of another program.
//!
//! On Linux both come from `/proc`: the peak of resident memory is the `VmHWM` of `status`, looked at
//! every half millisecond, so what the last half millisecond adds is missed; processor time stands in
//! `stat`, which can be read between the end of the program and the moment its parent takes note of
//! it. On other systems neither is measured. Wall time is measured everywhere.

use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How often the program is looked at.
const PAUSE: Duration = Duration::from_micros(500);

/// A tick of the processor times in `stat`: Linux shows them in hundredths of a second on all
/// machines (proc(5), `USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// What a run of a program took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// The exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// From its start to its end.
    pub(crate) wall: Duration,
    /// Processor time of all its threads, where it can be measured.
    pub(crate) processor: Option<Duration>,
    /// The most memory resident at once in KiB, where it can be measured.
    pub(crate) peak_kib: Option<u64>,
}

/// What `/proc` tells of a child.
enum Sight {
    Running { peak_kib: u64 },
    Ended { processor: Duration },
    Unseen,
}

/// Runs `command` to its end, or until `patience` is over: then it is killed.
///
/// # Errors
/// When the program cannot be started or waited for.
pub(crate) fn measure(command: &mut Command, patience: Duration) -> std::io::Result<Measured> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut peak_kib = None;
    let mut processor = None;
    let status = loop {
        match look(child.id()) {
            Sight::Running { peak_kib: now } => peak_kib = peak_kib.max(Some(now)),
            Sight::Ended { processor: used } => {
                processor = Some(used);
                break child.wait()?;
            }
            Sight::Unseen => {
                if let Some(status) = child.try_wait()? {
                    break status;
                }
            }
        }
        if start.elapsed() > patience {
            break kill(&mut child)?;
        }
        std::thread::sleep(PAUSE);
    };
    Ok(Measured { code: status.code(), wall: start.elapsed(), processor, peak_kib })
}

fn kill(child: &mut Child) -> std::io::Result<ExitStatus> {
    child.kill()?;
    child.wait()
}

fn look(process: u32) -> Sight {
    let read = |file| std::fs::read_to_string(format!("/proc/{process}/{file}"));
    let Some((is_ended, processor)) = read("stat").ok().and_then(|stat| state(&stat)) else {
        return Sight::Unseen;
    };
    if is_ended {
        return Sight::Ended { processor };
    }
    // Between the two looks it may have ended: then the next look tells.
    let peak_kib = read("status").ok().and_then(|status| peak(&status)).unwrap_or(0);
    Sight::Running { peak_kib }
}

/// Whether a process has ended, and its processor time so far, from its `stat`.
fn state(stat: &str) -> Option<(bool, Duration)> {
    // The second field is the program's name in brackets, which may hold anything.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let is_ended = matches!(fields.next()?, "Z" | "X");
    // proc(5): field 3 is the state, 14 and 15 are user and system time in ticks.
    let mut times = fields.skip(10);
    let user: u32 = times.next()?.parse().ok()?;
    let system: u32 = times.next()?.parse().ok()?;
    Some((is_ended, TICK * (user + system)))
}

/// The `VmHWM` of a `status`, in KiB.
fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The middle one of some values, or the upper of two in the middle; `None` of none.
pub(crate) fn median<T: Ord + Copy>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_and_status_are_read_as_the_manual_says() {
        // 7 ticks of user time and 5 of system time are 120 ms.
        let stat = "42 (a) b) R 1 42 42 0 -1 4194304 90 0 0 0 7 5 0 0 20 0 1 0 99";
        assert_eq!(state(stat), Some((false, Duration::from_millis(120))));
        assert_eq!(state(&stat.replace(" R ", " Z ")).map(|it| it.0), Some(true));
        assert_eq!(state("42 (a"), None);
        assert_eq!(peak("VmPeak:\t 9 kB\nVmHWM:\t   1234 kB\n"), Some(1_234));
        assert_eq!(peak("Name:\ta\n"), None);
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(&[9, 1, 5]), Some(5));
        assert_eq!(median(&[2, 1]), Some(2));
        assert_eq!(median::<u8>(&[]), None);
    }

    #[test]
    fn a_program_is_measured_to_its_end() {
        let mut command = Command::new(env!("CARGO"));
        command.arg("--version").stdout(std::process::Stdio::null());
        let measured = measure(&mut command, Duration::from_mins(1)).unwrap();
        assert_eq!(measured.code, Some(0));
        assert!(measured.wall > Duration::ZERO);
        assert_eq!(measured.processor.is_some(), cfg!(target_os = "linux"));
    }
}

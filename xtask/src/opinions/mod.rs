//! `cargo xtask opinions`: how far the packet level is from the flow level.
//!
//! Where both must come to the same: `scenarios/packets/second_opinion.ron` on 24 fabrics of 16 to 256 cards
//! ([`agreement`]). With `--shipped` on every scenario shipped ([`shipped`]). Each runs in a process of the example
//! `opinions` of the scenario crate, as many at once as there are processors.

mod agreement;
mod shipped;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::handover::{Profile, build_example};

/// The folder of the scenarios.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");

/// What to run, in the words of the example.
struct Asked {
    /// What it is called while it runs.
    name: String,
    /// The lines before the text.
    lines: Vec<String>,
    /// The scenario.
    text: String,
}

/// What both engines say of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Opinion {
    fabric: String,
    swept: String,
    workload: String,
    /// Status and time in ps, by rates and by packets.
    rates: (String, u64),
    packets: (String, u64),
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// What must come to the same.
    Agreement,
    /// The scenarios shipped.
    Shipped,
}

/// Shows the table; exit code 1 when a run fails or a difference is beyond its limit.
pub(crate) fn run(subject: Subject) -> ExitCode {
    let program = match build_example("scenario", "opinions", Profile::Release) {
        Ok(program) => program,
        Err(code) => return code,
    };
    let table = match subject {
        Subject::Agreement => agreement::table(&program),
        Subject::Shipped => shipped::table(&program),
    };
    match table {
        Ok((text, misses)) => {
            crate::say(std::io::stdout(), &text);
            if misses == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            crate::say(std::io::stderr(), &format!("xtask: {why}\n"));
            ExitCode::FAILURE
        }
    }
}

/// A table, and how many of its rows miss what is asked.
type Table = Result<(String, usize), String>;

/// Runs all of these, some at once; their answers in their order.
fn ask_all(program: &Path, all: &[Asked]) -> Vec<Result<Vec<Opinion>, String>> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![Err("not run".to_owned()); all.len()]);
    let work = || {
        while let Some((place, asked)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            all.get(place).map(|asked| (place, asked))
        } {
            crate::say(std::io::stderr(), &format!("xtask: {}\n", asked.name));
            let answer = ask(program, asked);
            answers.lock().expect("no thread panics while it stores an answer")[place] = answer;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    answers.into_inner().expect("all threads have ended")
}

/// Runs one of them.
fn ask(program: &Path, asked: &Asked) -> Result<Vec<Opinion>, String> {
    let mut lines = asked.lines.join("\n");
    lines.push_str("\ntext\n");
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.spawn().and_then(|mut child| {
        // The example reads all of it before it writes.
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        stdin.write_all(lines.as_bytes())?;
        stdin.write_all(asked.text.as_bytes())?;
        drop(stdin);
        child.wait_with_output()
    });
    let output = output.map_err(|error| format!("{}: {error}", asked.name))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {said}", asked.name));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(opinion).collect()
}

/// A line of the example.
fn opinion(line: &str) -> Result<Opinion, String> {
    let refused = || format!("not understood: {line}");
    let [fabric, swept, workload, rates, rates_ps, packets, packets_ps] =
        line.split('\t').collect::<Vec<_>>()[..]
    else {
        return Err(refused());
    };
    let time = |text: &str| text.parse().map_err(|_| refused());
    Ok(Opinion {
        fabric: fabric.to_owned(),
        swept: swept.to_owned(),
        workload: workload.to_owned(),
        rates: (rates.to_owned(), time(rates_ps)?),
        packets: (packets.to_owned(), time(packets_ps)?),
    })
}

impl Opinion {
    /// By how much packets take longer, in parts per million; `None` where not both came to their end.
    fn off(&self) -> Option<i64> {
        let is_complete = self.rates.0 == "complete" && self.packets.0 == "complete";
        if !is_complete || self.rates.1 == 0 {
            return None;
        }
        let (rates, packets) = (i128::from(self.rates.1), i128::from(self.packets.1));
        i64::try_from((packets - rates) * 1_000_000 / rates).ok()
    }
}

/// Parts per million as a percentage with two decimals and a sign, rounded half away from zero.
fn percent(parts: i64) -> String {
    let hundredths = (parts.unsigned_abs() + 50) / 100;
    let sign = match parts {
        _ if hundredths == 0 => "",
        0.. => "+",
        _ => "−",
    };
    format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_opinion() {
        let line = "cards\tratio=4:1\tring\tcomplete\t2000000\tcomplete\t1990001";
        let told = opinion(line).unwrap();
        assert_eq!((told.fabric.as_str(), told.swept.as_str()), ("cards", "ratio=4:1"));
        // 9,999 ps less of 2,000,000: 4,999.5 parts per million, towards zero.
        assert_eq!(told.off(), Some(-4_999));
        assert_eq!(opinion(&line.replacen("complete", "failed", 1)).unwrap().off(), None);
        assert!(opinion("cards\tring").is_err());
    }

    #[test]
    fn percentages_have_a_sign_and_two_decimals() {
        let told = [0, 49, 50, -4_999, 13_400, -1_234_567].map(percent);
        assert_eq!(told, ["0.00", "0.00", "+0.01", "−0.50", "+1.34", "−123.46"]);
    }
}

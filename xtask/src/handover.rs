//! Becoming the simulator: build it in release, then hand this process over to it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// How the simulator is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// Builds `superclos` in release, its progress on stderr, and runs it with `task` and `rest`.
///
/// On Unix this process becomes the simulator's, so that signals and exit codes are its own;
/// elsewhere the exit code is passed on. A failed build gives cargo's exit code.
pub(crate) fn simulator(task: &str, rest: Vec<OsString>) -> ExitCode {
    match build(Profile::Release) {
        Ok(program) => {
            let mut command = Command::new(program);
            command.arg(task).args(rest);
            hand_over(command)
        }
        Err(code) => code,
    }
}

/// Builds `superclos`, its progress on stderr, and says where it is.
///
/// # Errors
/// The exit code of a build that failed.
pub(crate) fn build(profile: Profile) -> Result<PathBuf, ExitCode> {
    build_target(&["--package", "superclos", "--bin", "superclos"], profile)
}

/// The same for an example of a package.
///
/// # Errors
/// The exit code of a build that failed.
pub(crate) fn build_example(
    package: &str,
    example: &str,
    profile: Profile,
) -> Result<PathBuf, ExitCode> {
    build_target(&["--package", package, "--example", example], profile)
}

fn build_target(target: &[&str], profile: Profile) -> Result<PathBuf, ExitCode> {
    let release: &[&str] = match profile {
        Profile::Debug => &[],
        Profile::Release => &["--release"],
    };
    let built = Command::new(crate::cargo())
        .arg("build")
        .args(release)
        .args(target)
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .stdout(Stdio::piped())
        .output();
    let output = match built {
        Ok(output) if output.status.success() => output,
        Ok(output) => return Err(passed_on(output.status.code())),
        Err(error) => return Err(failed(&format!("cannot start cargo: {error}"))),
    };
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| failed("cargo did not say where it put the program"))
}

/// The path of the built program from cargo's messages: the last `"executable":"…"`.
fn executable(messages: &str) -> Option<PathBuf> {
    let (_, after) = messages.rsplit_once("\"executable\":\"")?;
    let mut path = String::new();
    let mut letters = after.chars();
    loop {
        match letters.next()? {
            '"' => return Some(path.into()),
            '\\' => path.push(letters.next()?),
            letter => path.push(letter),
        }
    }
}

#[cfg(unix)]
fn hand_over(mut command: Command) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    failed(&format!("cannot start the simulator: {error}"))
}

#[cfg(not(unix))]
fn hand_over(mut command: Command) -> ExitCode {
    match command.status() {
        Ok(status) => passed_on(status.code()),
        Err(error) => failed(&format!("cannot start the simulator: {error}")),
    }
}

/// The exit code of another program; 1 when it was ended by a signal.
fn passed_on(code: Option<i32>) -> ExitCode {
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn failed(why: &str) -> ExitCode {
    crate::say(std::io::stderr(), &format!("xtask: {why}\n"));
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_where_cargo_says() {
        let messages = r#"{"reason":"compiler-artifact","executable":null}
{"reason":"compiler-artifact","executable":"/a \"b\"/superclos","fresh":true}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages), Some("/a \"b\"/superclos".into()));
        assert_eq!(executable(r#"{"executable":null}"#), None);
    }
}

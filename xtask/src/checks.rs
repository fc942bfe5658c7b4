//! The checks of the project, one after the other until one fails.

use std::process::{Command, ExitCode};

/// A program of the toolchain with its arguments, and the environment it needs.
pub(crate) struct Step {
    pub(crate) arguments: &'static [&'static str],
    pub(crate) environment: &'static [(&'static str, &'static str)],
}

/// A step without an environment of its own.
const fn cargo(arguments: &'static [&'static str]) -> Step {
    Step { arguments, environment: &[] }
}

const UNIT_TESTS: Step = cargo(&["test", "--workspace"]);
const REGRESSIONS: Step = cargo(&["run", "--release", "--package", "superclos", "--", "regress"]);

const BUILDS: Step = cargo(&["xtask", "builds"]);

/// All tests, then debug against release, then the completion times against their baselines.
pub(crate) const TEST: [Step; 3] = [UNIT_TESTS, BUILDS, REGRESSIONS];

/// What must hold before a change is taken.
pub(crate) const CI: [Step; 6] = [
    cargo(&["fmt", "--all", "--check"]),
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    Step {
        arguments: &["doc", "--workspace", "--no-deps", "--document-private-items"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    UNIT_TESTS,
    BUILDS,
    REGRESSIONS,
];

/// Runs `steps` at the top of the workspace, each announced on stderr; the first failure ends it
/// with that step's exit code.
pub(crate) fn run(steps: &[Step]) -> ExitCode {
    for step in steps {
        crate::say(std::io::stderr(), &format!("xtask: cargo {}\n", step.arguments.join(" ")));
        let status = Command::new(crate::cargo())
            .args(step.arguments)
            .envs(step.environment.iter().copied())
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => {
                let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
                crate::say(std::io::stderr(), "xtask: this step failed\n");
                return ExitCode::from(code);
            }
            Err(error) => {
                crate::say(std::io::stderr(), &format!("xtask: cannot start cargo: {error}\n"));
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

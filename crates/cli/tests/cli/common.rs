//! What the tests of the program share: a scenario, a folder, a run.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Two fabrics, two ratios and two workloads: eight points.
pub(crate) const SCENARIO: &str = r#"(
    schema: 1,
    title: "Servers against supernodes",
    question: "Which is faster?",
    seed: 7,
    fabrics: [
        (
            name: "servers",
            cards: 16,
            supernode: (cards: 4, inside: planes(), bandwidth: "400 GB/s", latency: "1 us"),
            nics: (per_card: 1, bandwidth: "400 Gb/s", latency: "500 ns"),
            outside: leaf_spine(
                leaf_ports: 8, uplink: "400 Gb/s", latency: "500 ns", spine_ports: 64,
            ),
        ),
        (
            name: "supernodes",
            cards: 16,
            supernode: (cards: 8, inside: planes(), bandwidth: "400 GB/s", latency: "1 us"),
            nics: (per_card: 1, bandwidth: "400 Gb/s", latency: "500 ns"),
            outside: leaf_spine(
                leaf_ports: 8, uplink: "400 Gb/s", latency: "500 ns", spine_ports: 64,
            ),
        ),
    ],
    workloads: [
        (collective: all_reduce, algorithm: ring(), size: "1 MiB", sizes: aligned),
        (collective: all_to_all, algorithm: direct, size: "1 MiB", sizes: aligned),
    ],
    sweep: [(field: "fabric.outside.ratio", values: ["1:1", "4:1"])],
)
"#;

/// A folder of its own, removed at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder that holds `text` as `name`.
    pub(crate) fn with(name: &str, text: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        folder.write(name, text);
        folder
    }

    /// Writes a file, and the folders it is in.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a new folder");
        fs::write(path, text).expect("a new file");
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file that was written")
    }

    /// The path of a name in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The names in a subfolder ("" for the folder itself), in order.
    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// The program, to be run in the folder with arguments parted by blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_superclos"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command.env_remove("NO_COLOR").env_remove("SUPERCLOS_LOG").env_remove("TERM");
        command
    }

    /// Runs the program: exit code, stdout, stderr.
    pub(crate) fn run(&self, arguments: &str) -> (i32, String, String) {
        told(&self.command(arguments).output().expect("the program starts"))
    }
}

/// Exit code, stdout, stderr of a run that ended by itself.
pub(crate) fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

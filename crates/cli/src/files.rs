//! Files: read within a limit, written whole or not at all.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::ending::Trouble;

/// The largest scenario that is read: 1 MiB.
pub(crate) const SCENARIO_BYTES: u64 = 1 << 20;
/// The largest baseline that is read: 16 MiB.
pub(crate) const BASELINE_BYTES: u64 = 16 << 20;
/// The largest results file that is read: 512 MiB.
pub(crate) const RESULTS_BYTES: u64 = 512 << 20;

/// A file of at most `limit` bytes; a longer one is refused before it is read.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Trouble> {
    let refused = |why: String| Trouble::Unreadable { path: path.to_owned(), why };
    let file = File::open(path).map_err(|error| refused(error.to_string()))?;
    let facts = file.metadata().map_err(|error| refused(error.to_string()))?;
    if facts.is_dir() {
        return Err(refused("it is a folder".to_owned()));
    }
    let too_long = |found: &str| refused(format!("{found} bytes, more than the {limit} allowed"));
    if facts.len() > limit {
        return Err(too_long(&facts.len().to_string()));
    }
    // A pipe does not tell its length beforehand.
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| refused(error.to_string()))?;
    if bytes.len() as u64 > limit {
        return Err(too_long(&format!("over {limit}")));
    }
    Ok(bytes)
}

/// The text of a file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<String, Trouble> {
    String::from_utf8(read_bytes(path, limit)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].split(|&byte| byte == b'\n').count();
        let why = format!("not UTF-8 text: line {line}, byte {at} of the file");
        Trouble::Unreadable { path: path.to_owned(), why }
    })
}

/// Writes `text` to `path` by a temporary file in the same folder, synced and renamed, so that a
/// reader sees the old file or the new one, whole. Missing folders are made.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let unwritable = |why| Trouble::Unwritable { path: path.to_owned(), why };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder).map_err(unwritable)?;
    let mut file = temporary(folder).map_err(unwritable)?;
    file.write_all(text.as_bytes()).map_err(unwritable)?;
    file.as_file().sync_all().map_err(unwritable)?;
    file.persist(path).map_err(|error| unwritable(error.error))?;
    Ok(())
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> Result<(), Trouble> {
    fs::remove_file(path).map_err(|why| Trouble::Unwritable { path: path.to_owned(), why })
}

/// A new file in `folder` with the permissions of any other new file.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".superclos-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Every file below `folder` with the extension `extension`, in order of its path.
pub(crate) fn below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Trouble> {
    let refused = |error: std::io::Error| Trouble::Unreadable {
        path: folder.to_owned(),
        why: error.to_string(),
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        if path.is_dir() {
            found.extend(below(&path, extension)?);
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_within_its_limit_and_only_as_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/a.ron");
        write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), "12345");
        let why = read(&path, 4).unwrap_err().to_string();
        assert!(why.ends_with("5 bytes, more than the 4 allowed"), "{why}");
        fs::write(&path, b"a\nb\xff").unwrap();
        let why = read(&path, 9).unwrap_err().to_string();
        assert!(why.ends_with("not UTF-8 text: line 2, byte 3 of the file"), "{why}");
        assert!(read(folder.path(), 9).unwrap_err().to_string().ends_with("it is a folder"));
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write(&path, "old").unwrap();
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(below(folder.path(), "csv").unwrap(), [path]);
    }
}

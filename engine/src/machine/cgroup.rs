//! Control groups: how much memory Linux lets a container have.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where control groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// The memory controller of version 2 and of version 1: its name in `/proc/self/cgroup`, which is its folder, too,
/// the file of a limit, and that of what the group uses. Beyond `memory.high` a process is made to wait.
const CONTROLLERS: [(&str, &str, &str); 3] = [
    ("", "memory.max", "memory.current"),
    ("", "memory.high", "memory.current"),
    ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
];

/// Returns the least limit of the memory of this process's control group and of those around it, in bytes, as it
/// was when this was first called; nothing on other systems.
pub(super) fn memory_limit() -> Option<u64> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    *LIMIT.get_or_init(|| limits_under(Path::new(MOUNT), &own_groups()?).map(|it| it.0).min())
}

/// Returns the memory that is left below the limits, in bytes, as it is now; nothing where there are none.
pub(super) fn memory_left() -> Option<u64> {
    memory_limit()?;
    let left = |(limit, usage): (u64, PathBuf)| Some(limit.saturating_sub(in_use(&usage)?));
    limits_under(Path::new(MOUNT), &own_groups()?).filter_map(left).min()
}

/// Returns the bytes in use of which the file `usage` tells, without those of files that nobody reads any more.
fn in_use(usage: &Path) -> Option<u64> {
    let details = fs::read_to_string(usage.with_file_name("memory.stat")).unwrap_or_default();
    // Version 1 tells of the groups inside last.
    let unread = details.lines().rev().find_map(|line| line.split_once("inactive_file "));
    let unread = unread.and_then(|(_, bytes)| bytes.parse().ok()).unwrap_or(0);
    Some(number_in(usage)?.saturating_sub(unread))
}

/// Returns the groups of this process, as the kernel lists them.
fn own_groups() -> Option<String> {
    Some(String::from_utf8_lossy(&fs::read("/proc/self/cgroup").ok()?).into_owned())
}

fn number_in(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// Returns the limits below the mount `root` for the `groups` that a process belongs to, as the kernel lists them,
/// with the files of what is used.
fn limits_under(root: &Path, groups: &str) -> impl Iterator<Item = (u64, PathBuf)> {
    // A line is `number:controllers:path`.
    let lines = groups.lines().filter_map(|line| line.split_once(':')?.1.split_once(':'));
    lines.flat_map(move |(controllers, path)| {
        let known = CONTROLLERS
            .iter()
            .filter(move |known| controllers.split(',').any(|name| name == known.0));
        known.flat_map(move |&(controller, limit, usage)| {
            // A container sees its own group as the root of the mount, or a path that is not there or leads out.
            let groups = Path::new(path.trim_start_matches('/')).ancestors();
            let inner = groups.filter(|group| !group.iter().any(|name| name == ".."));
            let folders = inner.map(move |group| root.join(controller).join(group));
            folders.filter_map(move |folder| {
                Some((number_in(&folder.join(limit))?, folder.join(usage)))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mount with files of limits.
    fn mount(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        root
    }

    #[test]
    fn the_least_limit_around_a_process_counts() {
        let root = mount(&[
            ("user/memory.max", "1000\n"),
            ("user/game/memory.max", "max\n"),
            ("user/game/engine/memory.max", "3000\n"),
            ("other/memory.max", "1\n"),
        ]);
        let limit_under = |groups: &str| limits_under(root.path(), groups).map(|it| it.0).min();
        let limit = |path: &str| limit_under(&format!("0::{path}\n"));
        assert_eq!(limit("/user/game/engine"), Some(1000));
        assert_eq!(limit("/user/game"), Some(1000));
        assert_eq!((limit("/"), limit("/absent"), limit("")), (None, None, None));
        assert_eq!((limit("/user/../other"), limit("/../other")), (Some(1000), None));
        assert_eq!(limit_under("nonsense\n1:2\n"), None);
    }

    #[test]
    fn a_limit_comes_with_what_is_used() {
        let root = mount(&[
            ("user/memory.max", "9000\n"),
            ("user/memory.high", "8000\n"),
            ("user/memory.current", "500\n"),
        ]);
        let limits: Vec<_> = limits_under(root.path(), "0::/user/game\n").collect();
        assert_eq!(limits.iter().map(|it| it.0).collect::<Vec<_>>(), [9000, 8000]);
        let used = || limits.iter().map(|it| in_use(&it.1)).collect::<Vec<_>>();
        assert_eq!(used(), [Some(500), Some(500)]);
        let stat = root.path().join("user/memory.stat");
        fs::write(&stat, "anon 7\ninactive_file 100\nslab 3\n").unwrap();
        assert_eq!(used(), [Some(400), Some(400)]);
        fs::write(&stat, "inactive_file 1\ntotal_inactive_file 200\n").unwrap();
        assert_eq!(used(), [Some(300), Some(300)]);
        assert_eq!(in_use(&root.path().join("user/memory.min")), None);
    }

    #[test]
    fn both_versions_and_the_root_of_a_container_are_read() {
        let root = mount(&[
            ("memory/docker/1/memory.limit_in_bytes", "5000\n"),
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        let limit_under = |root: &tempfile::TempDir, groups: &str| {
            limits_under(root.path(), groups).map(|it| it.0).min()
        };
        let groups = "7:cpu,memory:/docker/1\n1:name=systemd:/\n0::/\n";
        assert_eq!(limit_under(&root, groups), Some(5000));
        // The path is that of the host.
        let elsewhere = "7:memory:/docker/2\n";
        assert_eq!(limit_under(&root, elsewhere), Some(9223372036854771712));
        let inside = mount(&[("memory.max", "7000\n")]);
        assert_eq!(limit_under(&inside, "0::/\n"), Some(7000));
        assert_eq!(limit_under(&inside, "0::/kubepods/pod1\n"), Some(7000));
    }
}

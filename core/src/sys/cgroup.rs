//! Control groups: how much memory Linux lets a container have.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// The memory controller of version 2 and of version 1: its name in `/proc/self/cgroup`, which is its folder, too,
/// and the file of the limit.
const CONTROLLERS: [(&str, &str); 2] = [("", "memory.max"), ("memory", "memory.limit_in_bytes")];

/// Returns the least limit of the memory of this process's control group and of those around it, in bytes, as it
/// was when this was first called; nothing on other systems.
pub(super) fn memory_limit() -> Option<u64> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    let groups = || fs::read_to_string("/proc/self/cgroup").ok();
    *LIMIT.get_or_init(|| limit_under(Path::new("/sys/fs/cgroup"), &groups()?))
}

/// Returns the limit below the mount `root` for the `groups` that a process belongs to, as the kernel lists them.
fn limit_under(root: &Path, groups: &str) -> Option<u64> {
    // A line is `number:controllers:path`.
    let lines = groups.lines().filter_map(|line| line.split_once(':')?.1.split_once(':'));
    let limits = lines.flat_map(|(controllers, path)| {
        let known = CONTROLLERS
            .iter()
            .filter(move |known| controllers.split(',').any(|name| name == known.0));
        known.flat_map(move |&(controller, file)| {
            // A container sees its own group as the root of the mount, or a path that is not there.
            let groups = Path::new(path.trim_start_matches('/')).ancestors();
            groups.map(move |group| root.join(controller).join(group).join(file))
        })
    });
    limits.filter_map(|place| fs::read_to_string(place).ok()?.trim().parse().ok()).min()
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
        let limit = |path: &str| limit_under(root.path(), &format!("0::{path}\n"));
        assert_eq!(limit("/user/game/engine"), Some(1000));
        assert_eq!(limit("/user/game"), Some(1000));
        assert_eq!((limit("/"), limit("/absent"), limit("")), (None, None, None));
        assert_eq!(limit_under(root.path(), "nonsense\n1:2\n"), None);
    }

    #[test]
    fn both_versions_and_the_root_of_a_container_are_read() {
        let root = mount(&[
            ("memory/docker/1/memory.limit_in_bytes", "5000\n"),
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        let groups = "7:cpu,memory:/docker/1\n1:name=systemd:/\n0::/\n";
        assert_eq!(limit_under(root.path(), groups), Some(5000));
        // The path is that of the host.
        let elsewhere = "7:memory:/docker/2\n";
        assert_eq!(limit_under(root.path(), elsewhere), Some(9223372036854771712));
        let inside = mount(&[("memory.max", "7000\n")]);
        assert_eq!(limit_under(inside.path(), "0::/\n"), Some(7000));
        assert_eq!(limit_under(inside.path(), "0::/kubepods/pod1\n"), Some(7000));
    }
}

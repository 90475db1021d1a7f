//! Reading and writing at a place of a file.

use std::fs::File;
use std::io;

/// Fills `out` with the bytes of a file from `offset` on.
///
/// # Errors
///
/// Returns the system's error, or [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if there are not so many.
pub fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
    system::read_at(file, out, offset)
}

/// Writes all of `data` to a file from `offset` on.
///
/// # Errors
///
/// Returns the system's error.
pub fn write_at(file: &File, data: &[u8], offset: u64) -> io::Result<()> {
    system::write_at(file, data, offset)
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    pub(super) fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
        file.read_exact_at(out, offset)
    }

    pub(super) fn write_at(file: &File, data: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(data, offset)
    }
}

/// Where there is one thread, and nobody else moves the place in the file meanwhile.
#[cfg(not(any(unix, windows)))]
mod system {
    use std::fs::File;
    use std::io::{self, Read, Seek, SeekFrom, Write};

    pub(super) fn read_at(mut file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(out)
    }

    pub(super) fn write_at(mut file: &File, data: &[u8], offset: u64) -> io::Result<()> {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(data)
    }
}

#[cfg(windows)]
mod system {
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::os::windows::fs::FileExt;

    pub(super) fn read_at(file: &File, mut out: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !out.is_empty() {
            match file.seek_read(out, offset) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    out = &mut out[read..];
                    offset += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(super) fn write_at(file: &File, mut data: &[u8], mut offset: u64) -> io::Result<()> {
        while !data.is_empty() {
            match file.seek_write(data, offset) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => {
                    data = &data[written..];
                    offset += written as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

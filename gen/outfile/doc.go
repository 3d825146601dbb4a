// Package outfile writes all files that the project's programs leave behind: results,
// models, pages, generated code, caches.
//
// A path leads to a place in one of three ways:
//
//   - Nothing or a regular file. The content is written to a file with a private name in
//     the same folder. When the content is complete, the file is synced, renamed, and its
//     folder synced. Until then the path keeps what it had: an error, a crash or a full
//     disk never leaves half a file under its name. The syncs are
//     necessary because a file system may write a rename before the content, and a power
//     failure would then leave an empty file in place of hours of work. A new file has the
//     mode that the umask permits; a replaced file keeps its permissions.
//   - A symbolic link. It stays, and its target is written.
//   - A pipe, a terminal, another character device, or an open descriptor (/dev/stdout,
//     /dev/fd/3). It is never replaced. The complete content is copied into it, so a
//     reader does not see the beginning of a result that failed.
//
// Folders, block devices and sockets are refused, and so is a regular file that its
// permissions protect.
//
// [Stream] is for content that is worth reading before it is complete, such as the
// waveforms of a run that may crash. It starts a file under its own name, as a successor
// of the old file, which is gone from then on.
//
// A process that is killed may leave a file whose name begins with [Prefix].
//
// Every error is an [*Error]. [Error.Place] distinguishes a path that cannot be written
// from a disk that is full or broken.
package outfile

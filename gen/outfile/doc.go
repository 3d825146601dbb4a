// Package outfile writes all files that the project's programs leave behind: results, models,
// pages, generated code, caches.
//
// A path is resolved in one of three ways:
//
//   - Nothing or a regular file. The content is written to a file with a private name in
//     the same folder. When the content is complete, the file is synced, renamed, and its
//     folder synced. Until then the path keeps its old content: an error, a crash or a full
//     disk never leaves a partial file under its name. The syncs are necessary because a
//     file system may write a rename before the content. A power failure would then leave
//     an empty file in place of hours of work. A new file has the mode that the umask
//     permits; a replaced file keeps its permissions.
//   - A symbolic link. The link remains, and its target is written.
//   - A pipe, a terminal, another character device, or an open descriptor (/dev/stdout,
//     /dev/fd/3). It is never replaced. The complete content is copied into it, so a
//     reader does not see the beginning of a result that failed.
//
// Folders, block devices and sockets are refused, and so is a regular file whose permissions forbid
// writing.
//
// [Stream] is for content that is worth reading before it is complete, such as the waveforms of a
// run that may crash. It creates a file under its own name, and removes the old file first.
//
// A killed process may leave a file whose name begins with ".hotline-".
//
// Every error is an [*Error]. [Error.Place] distinguishes a path that cannot be written from a disk
// that is full or broken.
package outfile

// Package text reads lines from a sequence of text files, in constant memory. Files may be plain,
// gzip or zstd, detected by content, with Unix or Windows line ends, with or without a byte order
// mark. Reading can resume at a Mark. In a plain file this is a seek; in a compressed file
// everything before the mark is decompressed and discarded.
//
// An error in a file is a FormatError with file, line, column, found and expected text. A bad line
// is rejected or added to a Quarantine. The Quarantine counts bad lines, keeps the first ones, and
// stops the run if there are too many.
package text

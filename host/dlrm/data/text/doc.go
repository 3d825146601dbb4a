// Package text reads lines from text files, one file after the other, in constant memory: plain, gzip or zstd, told apart by
// content, with the line ends of Unix or Windows, with or without a byte order mark. Reading can resume at a Mark; in a plain
// file that is a seek, in a packed one everything before the mark is unpacked and thrown away.
//
// What is wrong with a file is a FormatError: file, line, column, what was found, what was expected. A bad line is refused, or
// goes to a Quarantine, which counts it, keeps the first ones, and stops the run if there are too many.
package text

// Package record reads the records of data files in constant memory: lines of CSV, TSV or JSON, and
// entries of NPZ arrays (numpy.savez). A Layout describes the files. Its readers return each column
// of a record as text, so that one conversion serves all formats.
//
// Package text defines compression and marks of the formats with lines. The mark of an entry of
// arrays is its number.
package record

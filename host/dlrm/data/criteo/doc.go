// Package criteo reads the Criteo display-advertising logs in their original format: train.txt of the Kaggle challenge, and the
// days of the Terabyte log, one file each, plain or packed. A line is a label (1 a click), 13 integers and 26 hexadecimal ids,
// separated by tabs; integers and ids may be missing.
//
// A dense feature is ln(1+max(x, 0)), 0 where missing. Each column of ids is a table.
package criteo

// Package criteo reads the Criteo display-advertising logs in their original format, plain or
// compressed. The logs are train.txt of the Kaggle challenge, and the Terabyte log with one file
// per day. A line contains a label (1 for a click), 13 integers and 26 hexadecimal ids, separated
// by tabs. Integers and ids may be missing.
//
// A dense feature is ln(1+max(x, 0)), or 0 if the integer is missing. Each column of ids becomes a
// table.
package criteo

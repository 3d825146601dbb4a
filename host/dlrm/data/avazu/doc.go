// Package avazu reads the log of Avazu's Kaggle challenge in its original format: lines of 24 fields, separated by commas, below
// a header. A table is made of each of 21 columns, from C1 to C21; papers that have 20 leave C1 out. The only dense feature is the
// hour of the day, as a share of the day. The id of an impression is checked and not used.
package avazu

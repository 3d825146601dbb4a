// Package avazu reads the log of Avazu's Kaggle challenge in its original format: lines of 24
// comma-separated fields after a header. Each of the 21 columns C1 to C21 becomes a table; papers
// with 20 tables omit C1. The only dense feature is the hour of the day, as a fraction of the day.
// The id of an impression is validated but not used.
package avazu

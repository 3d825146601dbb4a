// Package netlists lets the tests of blocks run mutants of them, or their gates, and prints a
// table. scripts/mutate and scripts/gates run it, in the folder of the module.
package netlists

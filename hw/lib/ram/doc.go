// Package ram wraps memories as modules, so that a macro of the same ports can
// take the place of the generated one: RAM has one port that reads or writes,
// SimpleDual one that writes and one that reads. Reads take a cycle.
package ram

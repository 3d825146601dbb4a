// Package ram wraps memories as modules, so that a macro with the same ports can replace the
// generated memory. RAM has one port that reads or writes; SimpleDual has a write port and a read
// port. A read takes one cycle.
package ram

// Package semantics holds every construct of the hardware language to plain Go. Its tests
// have a table of constructs, each with a description in hardware and a reference that is
// written from the documents alone, with math/big and slices. One design has all of them.
// Every engine runs it on the same random inputs, and every output is compared with the
// reference in every cycle. So a mistake that all engines share is found, too.
package semantics

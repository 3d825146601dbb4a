// Package semantics checks every construct of the hardware language against plain Go. Its tests
// contain a table of constructs. Each row has a hardware description and a reference, which is
// derived only from the documentation and uses math/big and slices.
//
// One design contains all constructs. Every engine runs it on the same random inputs, and every
// output is compared with the reference in every cycle. The tests therefore also find errors that
// all engines share.
package semantics

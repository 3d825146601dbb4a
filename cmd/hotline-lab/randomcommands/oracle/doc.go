// Package oracle says what the accelerator has to do: a plain Go model of
// docs/reference/accelerator.md, written from the document and not from the hardware.
//
// It is no simulator that runs ahead. It is given the descriptors of the boundary
// with what became of them, in their order, and executes a command when its
// completion is written: the command has to account for exactly its reads and
// writes. Where the document leaves a choice, what was seen decides; anything
// else is a violation. Which rows are hot is such a choice, of which the oracle
// keeps what it was shown and what follows from that.
package oracle

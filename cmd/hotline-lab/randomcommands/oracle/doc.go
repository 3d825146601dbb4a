// Package oracle is a reference model of the accelerator's commands in plain Go. It was derived
// from docs/reference/accelerator.md and not from the hardware.
//
// The oracle does not predict ahead of time. It observes the descriptors at the boundary with their
// outcomes, in order, and executes a command when its completion is written. The command must
// account for exactly the observed reads and writes. Where the document allows several behaviours,
// the oracle follows the observed one; any other deviation is a violation. The choice of the hot
// rows is such a behaviour. The oracle records the observed hot and cold rows and checks that later
// observations are consistent.
package oracle

// Package arithmetic compares the binary32 adder and multiplier, in the compiled model, with the
// arithmetic of the host. The operands are random and chosen pairs. scripts/arithmetic-campaign
// runs it, and docs/evidence/verification.md contains its results.
package arithmetic

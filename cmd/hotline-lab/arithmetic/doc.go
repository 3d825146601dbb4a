// Package arithmetic compares the adder and the multiplier of binary32 numbers, in the compiled
// model, with the arithmetic of the host, on random and on chosen pairs of operands.
// scripts/arithmetic-campaign runs it, and docs/evidence/verification.md has its figures.
package arithmetic

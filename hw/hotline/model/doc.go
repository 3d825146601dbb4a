// Package model is a functional model of the whole accelerator, composed of the reference models of
// its blocks. It has no notion of cycles.
//
// A Model determines the effect of a command: whether it is refused, and what it reads, counts and
// writes to memory, bit-identical to the hardware. Execute runs whole commands on a memory. Package
// host/device/functional performs the same steps and adds their timing. The only other model of the
// accelerator is cmd/hotline-lab/randomcommands/oracle, which is written from docs/reference/accelerator.md
// to check both.
//
// The simulator of time must handle failed reads and writes. The order in which the banks of the
// EAL learn also depends on time; Execute learns in the order of the words.
package model

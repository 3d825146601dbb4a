// Package model is the accelerator without cycles: the reference models of its blocks,
// put together.
//
// A Model says what a command does: whether it is refused, what it reads, counts and
// leaves in memory, bit by bit as the hardware does. Execute runs whole commands on a
// memory; package host/device/functional takes the same steps, and adds when each of them happens.
// There is no other model of the accelerator but the one of cmd/hotline-lab/randomcommands/oracle,
// which is written from docs/reference/accelerator.md to check both.
//
// Reads and writes that fail belong to who simulates time. In which order the banks of
// the EAL learn follows from time as well; Execute learns in the order of the words.
//
// It may import hw/hotline/arch and the blocks.
package model

// Package driver talks to the accelerator: it programmes the command and
// completion rings, encodes commands, waits for interrupts and checks what
// comes back. It knows the device only through the small interface Device, so
// that a simulated card and a real one behind VFIO look the same.
// docs/reference/accelerator.md gives the formats; the numbers are those of the hardware,
// package arch.
//
// It promises
//   - that each command has one outcome, and that whatever is wrong with its
//     completion (CRC, command id, status) becomes an error that names the
//     command;
//   - that a doorbell is rung once for the commands that come together, [Batch] at
//     most;
//   - that an interrupt which is lost or late costs [PollInterval] at most, and
//     one that comes twice or without cause nothing;
//   - that what a command has written can be compared with what has arrived;
//   - that a device which does not answer is noticed when [Options].Deadline has
//     passed, and interrupts with nothing behind them after as many as a ring has
//     entries;
//   - with [Options].Retries, that faults are survived as docs/reference/reliability.md says: an
//     idempotent command is repeated, in the place behind those in the ring, and a
//     device that does not answer is reset, which ends what is in the ring with
//     [ErrReset]. Both are bounded.
//
// It may import the standard library, and of this module the numbers that it shares
// with the hardware, package arch.
package driver

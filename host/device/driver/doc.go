// Package driver drives the accelerator. It programs the command and completion rings, encodes
// commands, waits for interrupts and validates completions. It accesses the device only through the
// small interface Device, so that it works equally with a simulated card and a real card behind
// VFIO. docs/reference/accelerator.md specifies the formats. Their numbers are in package arch, which the
// hardware shares.
//
// Guarantees:
//   - Each command has one outcome. Any defect of its completion (CRC, command id, status) becomes
//     an error that names the command.
//   - A doorbell covers all pending commands, at most [Batch].
//   - A lost or late interrupt costs at most [PollInterval]. A duplicate or spurious interrupt costs
//     nothing.
//   - The data that a command wrote can be compared with the data that arrived.
//   - An unresponsive device is detected after [Options].Deadline. Consecutive interrupts without a
//     completion are detected when they outnumber the ring's entries.
//   - With [Options].Retries, the driver survives faults as specified in docs/reference/reliability.md. It
//     repeats an idempotent command after the commands in the ring. It resets a device that does not
//     respond, which ends the commands in the ring with [ErrReset]. Both are bounded.
//
// The package may import only the standard library and package arch.
package driver

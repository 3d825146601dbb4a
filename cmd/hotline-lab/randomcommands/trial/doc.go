// Package trial runs an episode of the campaign. It connects the accelerator to its shell and the
// oracle. A driver sends random commands, changes the fault schedule, stops and restarts the
// accelerator in every documented way, and makes mistakes.
//
// An episode starts with a new simulator and depends only on its seed and number. It is therefore
// reproducible on its own.
package trial

// Package isa implements the front end of the accelerator. It fetches commands from the ring in
// host memory, checks and issues them one at a time, and posts their completions. It also holds the
// control and status registers. docs/reference/accelerator.md specifies the formats.
//
// Model is the reference of the rings in plain Go.
package isa

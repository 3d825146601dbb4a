// Package isa is the front of the accelerator: it fetches commands from the
// ring in host memory, checks and issues them one at a time, posts their
// completions, and holds the control and status registers.
// docs/reference/accelerator.md gives the formats.
//
// Model is the reference of the rings in plain Go. The package may import hw,
// hw/lib, hw/hotline/arch, and the formats of dispatch and dma.
package isa

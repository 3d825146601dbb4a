// Package wraptest holds what is on the other side of the accelerator and of its wrappers,
// for tests and documents: Card is a device for the driver of host/driver, around any top, with
// memory behind its boundary: Boundary for that of the accelerator itself, Bus for AXI4. Slave
// is the memory on an AXI4 bus in plain Go.
//
// It imports hw/lib/bench, hw/hotline/dma, sim and host/driver.
package wraptest

// Package wraptest holds what is on the other side of the accelerator and of its wrappers,
// for tests and documents. Card is a device for the driver of host/device/driver, around any top; the
// memory behind its boundary is a Boundary for that of the accelerator itself, and a Bus for
// AXI4, a PCIe for verilog-pcie or an XDMA for the wrappers, all in plain Go.
package wraptest

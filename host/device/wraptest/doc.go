// Package wraptest provides the environment of the accelerator and its wrappers in plain Go, for
// tests and documents. Card implements the device interface of host/device/driver around any top.
// The memory behind the boundary is a Boundary for the accelerator itself, a Bus for AXI4, a PCIe
// for verilog-pcie, or an XDMA for the XDMA wrappers.
package wraptest

// Package axil provides an AXI4-Lite slave (Arm IHI 0022, chapter B1) with 32 data bits. The slave
// converts bus transfers to register accesses. Check asserts the rules of the bus.
package axil

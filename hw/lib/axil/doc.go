// Package axil holds an AXI4-Lite slave (Arm IHI 0022, chapter B1) of 32 data
// bits, which turns bus transfers into writes and reads of registers, and Check for the
// rules of the bus.
package axil

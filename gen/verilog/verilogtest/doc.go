// Package verilogtest helps tests of hardware. It holds the guarantee that Verilator, Icarus
// Verilog and Yosys read generated Verilog without any message.
package verilogtest

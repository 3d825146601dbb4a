// Package tb contains test benches for the generated Verilog. They do not require Go.
//
// hotline_tb.v is plain Verilog and runs in Icarus and in Verilator. With +short, it runs in half
// the cycles. cocotb is a bench in Python, based on cocotbext-axi (scripts/cocotb). Both are
// written from docs/reference/accelerator.md only. Package sim contains the project's own comparison of
// Verilog and Go simulation.
package tb

// Package tb holds benches around the generated Verilog, for people who start
// from the Verilog and have no Go: hotline_tb.v is plain Verilog and runs in Icarus and
// in Verilator, in full or, with +short, in half the cycles; cocotb is in Python, on cocotbext-axi (scripts/cocotb). Both are written
// from docs/reference/accelerator.md alone. The project's own comparison of Verilog and Go
// simulation is in sim.
package tb

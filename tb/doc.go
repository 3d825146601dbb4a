// Package tb holds benches around the generated Verilog, for people who start
// from the Verilog: hotline_tb.v runs in any simulator. The project's own
// comparison of Verilog and Go simulation is in sim.
package tb

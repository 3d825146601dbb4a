// Package hwtest tests a design in all engines with go test: the interpreter, the compiled model,
// Verilator and Icarus Verilog. Icarus Verilog also runs with all state initially unknown. The
// package checks the Verilog tools for warnings and finds unnecessary resets. A test requires the
// tools but no other files:
//
//	func TestUART(t *testing.T) {
//		p := uart.UART{Divider: 4}
//		hwtest.Run(t, p, func(s sim.Simulator) error {
//			tb := sim.Bind[uart.Ports](s, p)
//			...
//		})
//	}
//
// With go test -short, only the interpreter runs, and no tool is needed. HOTLINE_QUICK=1 in the
// environment skips the slow checks (see Run).
package hwtest

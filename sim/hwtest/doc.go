// Package hwtest puts a design through all engines, for go test: the interpreter,
// the compiled model, Verilator and Icarus Verilog, which also begins with all state
// unknown. It asks the Verilog tools for their warnings and finds out which resets
// nobody misses. It needs nothing but the tools, and no file besides the test:
//
//	func TestUART(t *testing.T) {
//		p := uart.UART{Divider: 4}
//		hwtest.Run(t, p, func(s sim.Simulator) error {
//			tb := sim.Bind[uart.Ports](s, p)
//			...
//		})
//	}
//
// go test -short runs the interpreter alone, without any tool. HOTLINE_QUICK=1 in the
// environment leaves out what takes long (Run).
package hwtest

package axil

import "github.com/hotline-rtl/hotline/hw"

// DataWidth is the width of the data channels.
const DataWidth = 32

// Responses on bresp and rresp.
const (
	OKAY   = 0
	SLVERR = 2
)

// Bundle is the signals of the five channels.
type Bundle struct {
	AWAddr, AWProt, AWValid, AWReady hw.Bits
	WData, WStrb, WValid, WReady     hw.Bits
	BResp, BValid, BReady            hw.Bits
	ARAddr, ARProt, ARValid, ARReady hw.Bits
	RData, RResp, RValid, RReady     hw.Bits
}

// SlavePorts declares the slave's end with byte addresses of addrWidth bits;
// names are prefix_awaddr and so on.
func SlavePorts(m *hw.Module, prefix string, addrWidth int) Bundle {
	in := func(name string, width int) hw.Bits { return m.In(prefix+"_"+name, width) }
	out := func(name string, width int) hw.Bits { return m.Out(prefix+"_"+name, width) }
	return Bundle{
		AWAddr: in("awaddr", addrWidth), AWProt: in("awprot", 3), AWValid: in("awvalid", 1), AWReady: out("awready", 1),
		WData: in("wdata", DataWidth), WStrb: in("wstrb", DataWidth/8), WValid: in("wvalid", 1), WReady: out("wready", 1),
		BResp: out("bresp", 2), BValid: out("bvalid", 1), BReady: in("bready", 1),
		ARAddr: in("araddr", addrWidth), ARProt: in("arprot", 3), ARValid: in("arvalid", 1), ARReady: out("arready", 1),
		RData: out("rdata", DataWidth), RResp: out("rresp", 2), RValid: out("rvalid", 1), RReady: in("rready", 1),
	}
}

// Connect makes b, the bus ports of an instance, the slave of what outer, the
// bus ports of the module around it, receives.
func (b Bundle) Connect(outer Bundle) {
	for _, p := range [][2]hw.Bits{
		{b.AWAddr, outer.AWAddr}, {b.AWProt, outer.AWProt}, {b.AWValid, outer.AWValid}, {outer.AWReady, b.AWReady},
		{b.WData, outer.WData}, {b.WStrb, outer.WStrb}, {b.WValid, outer.WValid}, {outer.WReady, b.WReady},
		{outer.BResp, b.BResp}, {outer.BValid, b.BValid}, {b.BReady, outer.BReady},
		{b.ARAddr, outer.ARAddr}, {b.ARProt, outer.ARProt}, {b.ARValid, outer.ARValid}, {outer.ARReady, b.ARReady},
		{outer.RData, b.RData}, {outer.RResp, b.RResp}, {outer.RValid, b.RValid}, {b.RReady, outer.RReady},
	} {
		p[0].Set(p[1])
	}
}

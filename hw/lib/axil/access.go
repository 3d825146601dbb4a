package axil

import "github.com/hotline-rtl/hotline/hw"

// Access is what a Slave and the registers behind it tell each other.
//
// In a cycle with Write, the bytes of WriteData that WriteStrb marks go to
// WriteAddr, and WriteError, in the same cycle, tells that they cannot. In a
// cycle with Read the registers see ReadAddr and give, in the next cycle,
// ReadData and ReadError. Addresses are byte addresses with the low two bits as
// on the bus. An error becomes SLVERR; a read with an error gives 0.
type Access struct {
	Write, WriteAddr, WriteData, WriteStrb, WriteError hw.Bits
	Read, ReadAddr, ReadData, ReadError                hw.Bits
}

// RegisterPorts declares the registers' end with byte addresses of addrWidth
// bits; names are prefix_write and so on.
func RegisterPorts(m *hw.Module, prefix string, addrWidth int) Access {
	in := func(name string, width int) hw.Bits { return m.In(prefix+"_"+name, width) }
	out := func(name string, width int) hw.Bits { return m.Out(prefix+"_"+name, width) }
	return access(in, out, addrWidth)
}

// access declares an end: what asks, and what answers.
func access(ask, answer func(name string, width int) hw.Bits, addrWidth int) Access {
	return Access{
		Write: ask("write", 1), WriteAddr: ask("write_addr", addrWidth), WriteData: ask("write_data", DataWidth),
		WriteStrb: ask("write_strb", DataWidth/8), WriteError: answer("write_error", 1),
		Read: ask("read", 1), ReadAddr: ask("read_addr", addrWidth), ReadData: answer("read_data", DataWidth), ReadError: answer("read_error", 1),
	}
}

// Connect makes a, of registers, serve what slave, or the module around a, is
// asked for.
func (a Access) Connect(slave Access) {
	for _, p := range [][2]hw.Bits{
		{a.Write, slave.Write}, {a.WriteAddr, slave.WriteAddr}, {a.WriteData, slave.WriteData}, {a.WriteStrb, slave.WriteStrb}, {slave.WriteError, a.WriteError},
		{a.Read, slave.Read}, {a.ReadAddr, slave.ReadAddr}, {slave.ReadData, a.ReadData}, {slave.ReadError, a.ReadError},
	} {
		p[0].Set(p[1])
	}
}

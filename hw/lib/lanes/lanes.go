package lanes

import "github.com/hotline-rtl/hotline/hw"

// Lanes is N streams: element i of the vectors is stream i. Valid and Ready
// have elements of one bit.
type Lanes struct {
	Valid, Ready, Data hw.Vec
}

// Sink declares the receiving end of n streams of width bits: inputs
// name_valid and name_data, output name_ready.
func Sink(m *hw.Module, name string, n, width int) Lanes {
	return Lanes{Valid: m.InVec(name+"_valid", n, 1), Ready: m.OutVec(name+"_ready", n, 1), Data: m.InVec(name+"_data", n, width)}
}

// Source declares the sending end of n streams of width bits.
func Source(m *hw.Module, name string, n, width int) Lanes {
	return Lanes{Valid: m.OutVec(name+"_valid", n, 1), Ready: m.InVec(name+"_ready", n, 1), Data: m.OutVec(name+"_data", n, width)}
}

// At is stream i.
func (l Lanes) At(i hw.Index) hw.Stream[hw.Bits] {
	return hw.Stream[hw.Bits]{Valid: l.Valid.At(i), Ready: l.Ready.At(i), Data: l.Data.At(i)}
}

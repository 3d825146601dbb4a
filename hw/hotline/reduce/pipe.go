package reduce

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// delayed is x so many cycles ago, and whether it was valid; the registers hold while
// it is not.
func delayed[T any](m *hw.Module, of hw.Shape[T], valid hw.Bits, stages int, x T) (hw.Bits, T) {
	for k := range stages {
		name := fmt.Sprintf("s%d", k+1)
		v, r := m.Reg(name+"_valid", 1, 0), of.Data(m, name)
		v.Set(valid)
		m.When(valid, func() { hw.Set(r, x) })
		valid, x = v, r
	}
	return valid, x
}

// late is x some cycles ago.
func late(m *hw.Module, name string, x hw.Bits, cycles int) hw.Bits {
	for k := range cycles {
		r := m.Data(fmt.Sprintf("%s%d", name, k+1), x.Width())
		r.Set(x)
		x = r
	}
	return x
}

package reduce

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// pipe is values some cycles ago, and whether they were valid.
type pipe struct {
	valid hw.Bits
	out   []hw.Bits
}

// newPipe delays values by stages registers, which hold while not valid.
func newPipe(m *hw.Module, valid hw.Bits, stages int, values ...hw.Bits) pipe {
	word := hw.Cat(values...)
	for k := range stages {
		v, w := m.Reg(fmt.Sprintf("s%d_valid", k+1), 1, 0), m.Data(fmt.Sprintf("s%d_word", k+1), word.Width())
		v.Set(valid)
		m.When(valid, func() { w.Set(word) })
		valid, word = v, w
	}
	q := pipe{valid: valid}
	hi := word.Width() - 1
	for _, x := range values {
		q.out = append(q.out, word.Slice(hi, hi-x.Width()+1))
		hi -= x.Width()
	}
	return q
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

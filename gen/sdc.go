package gen

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// outside is the share of a period reserved for logic outside the ports: inputs arrive this late,
// and outputs must be stable this early.
const outside = 0.4

// constraints returns the constraints of a top module with one clock, in commands that all tools
// support: the clock, and input and output delays. The reset is synchronous, and constrained like
// any other input.
func constraints(top *ir.Module, mhz int) ([]byte, error) {
	if !top.Clock || len(top.Pads) > 0 {
		return nil, errors.New("gen: constraints are for a top with one clock and without pads")
	}
	period := 1000 / float64(mhz)
	var b strings.Builder
	fmt.Fprintf(&b, "# Clock of %d MHz. A port leaves %g of the period to the other side.\n", mhz, outside)
	b.WriteString("set_units -time ns\n")
	fmt.Fprintf(&b, "create_clock -name %s -period %.3f [get_ports %[1]s]\n", top.Own.ClockName(), period)
	for _, p := range ports(top) {
		name := p.Name
		if p.Width > 1 {
			name = "{" + name + "[*]}"
		}
		if p.Name != top.Own.ClockName() {
			fmt.Fprintf(&b, "set_%s_delay -clock %s %.3f [get_ports %s]\n", p.Direction, top.Own.ClockName(), outside*period, name)
		}
	}
	return []byte(b.String()), nil
}

package hw_test

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Counter counts the cycles in which it is enabled.
type Counter struct{ Width int }

// CounterPorts are the ports of Counter.
type CounterPorts struct{ Enable, Count hw.Bits }

// Build describes the counter.
func (p Counter) Build(m *hw.Module) CounterPorts {
	io := CounterPorts{Enable: m.In("enable", 1), Count: m.Out("count", p.Width)}
	n := m.Reg("n", p.Width, 0)
	m.When(io.Enable, func() { n.Set(n.Inc()) })
	io.Count.Set(n)
	return io
}

// A module is a comparable struct of parameters with a Build method that returns its ports.
func Example() {
	d, err := hw.Elaborate(Counter{Width: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := interp.New(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	s.SetReset(true)
	for range 6 {
		if err := s.Step(); err != nil {
			fmt.Println(err)
			return
		}
		s.SetReset(false)
		sim.Find(s, "enable").Set(1)
	}
	fmt.Println(d.Top.Name, sim.Find(s, "count").Get())
	// Output: counter 5
}

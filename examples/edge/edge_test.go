package edge_test

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/examples/edge"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// play drives one bit of each input per cycle, and checks the outputs.
func play(s sim.Simulator, a, b string) error {
	tb := sim.Bind[edge.Ports](s, edge.Edges{})
	lastA, lastB := uint64(0), uint64(0)
	for i := range a {
		nowA, nowB := uint64(a[i]-'0'), uint64(b[i]-'0')
		tb.A.Poke(nowA)
		tb.B.Poke(nowB)
		risesA, risesB := nowA&^lastA, nowB&^lastB
		if tb.Rises.Peek() != risesA|risesB || tb.Together.Peek() != risesA&risesB {
			return fmt.Errorf("%d, %d follow %d, %d: rises %d, together %d", nowA, nowB, lastA, lastB, tb.Rises.Peek(), tb.Together.Peek())
		}
		if err := s.Step(); err != nil {
			return err
		}
		lastA, lastB = nowA, nowB
	}
	return nil
}

// go test compares the waveforms, and prints both if they differ.
func Example() {
	d, err := hw.Elaborate(edge.Edges{})
	if err != nil {
		fmt.Println(err)
		return
	}
	waves := wave.NewTail(8, "a", "b", "rises", "together")
	s, err := interp.New(d, interp.AllSignals(), interp.Record(waves))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := play(s, "01100101", "00110110"); err != nil {
		fmt.Println(err)
	}
	fmt.Print(waves)
	// Output:
	// cycle    |0   1   2   3   4   5   6   7
	// a        |___/-------\_______/---\___/---
	// b        |_______/-------\___/-------\___
	// rises    |___/-------\_______/---\___/---
	// together |___________________/---\_______
}

func TestEdges(t *testing.T) {
	hwtest.Run(t, edge.Edges{}, hwtest.Random(1000))
	hwtest.Resets(t, edge.Edges{}, func(s sim.Simulator) error { return play(s, "11010", "10110") })
}

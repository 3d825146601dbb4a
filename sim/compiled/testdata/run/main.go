// Command run runs lanes.Lanes of as many lanes as its argument says and prints
// the engine, the error of every cycle, and its waveforms.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/compiled/testdata/lanes"
	"github.com/hotline-rtl/hotline/sim/wave"
)

func main() {
	count, err := strconv.Atoi(os.Args[1])
	check(err)
	d, err := hw.Elaborate(lanes.Lanes{Count: count})
	check(err)
	s, note, err := compiled.New(d)
	check(err)
	fmt.Println(note)
	m, ok := s.(compiled.Model)
	if !ok {
		_, err := compiled.Build(d, "github.com/hotline-rtl/hotline/sim/compiled/testdata/run", os.Args[2])
		fmt.Println(err)
		return
	}
	var waves bytes.Buffer
	v := wave.NewVCD(&waves, 1000)
	check(m.Record(v))
	sim.Find(s, "on").Set(1)
	for cycle, x := range []uint64{2, 2, 201, 9} {
		s.SetReset(cycle == 0)
		sim.Find(s, "x").Set(x)
		fmt.Println(s.Step())
	}
	check(v.Close())
	fmt.Print(waves.String())
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

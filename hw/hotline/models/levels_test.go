package models_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// evaluated is a model whose state can be read after its combinational logic was evaluated.
type evaluated interface {
	sim.Inspector
	sim.Framed
	sim.Writable
	Eval()
}

// TestLevels compares all stored values of a model, including wires, at each instruction set of
// this processor with the portable version.
func TestLevels(t *testing.T) {
	for _, l := range model.Levels() {
		t.Run(l.String(), func(t *testing.T) {
			compare(t, small.New(small.Options{Level: l}), small.New(small.Options{Level: model.Portable}))
		})
	}
}

func compare(t *testing.T, both ...evaluated) {
	f := sim.NewFormat(both[0].Ports())
	inputs, in := sim.Random(f, 3), make([]uint64, f.InWords)
	cycles := 1500
	if simtest.Emulated() {
		cycles = 12
	}
	for c := range cycles {
		require.NoError(t, inputs.Next(in))
		for _, m := range both {
			if c%500 == 0 {
				sim.PowerUp(m, uint64(c))
			}
			m.SetFrame(in)
			m.Eval()
		}
		same(t, c, reflect.ValueOf(both[0]).Elem().FieldByName("state"), reflect.ValueOf(both[1]).Elem().FieldByName("state"))
		for _, m := range both {
			_ = m.Step() // random inputs violate assumptions of the design
		}
	}
}

// same compares the fields of two states, but memories only in some cycles.
func same(t *testing.T, cycle int, a, b reflect.Value) {
	for i := range a.NumField() {
		x := a.Type().Field(i)
		if x.Name[0] == 'm' && cycle%100 != 99 {
			continue
		}
		p, q := bytesOf(a.Field(i)), bytesOf(b.Field(i))
		require.Equal(t, string(q), string(p), "cycle %d: %s", cycle, x.Name)
	}
}

func bytesOf(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v.UnsafeAddr())), v.Type().Size())
}

package hwtest

import (
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// Resets checks that every reset of a register is necessary: without it, drive fails from one of
// sixteen random states, or outputs stay unknown. An unnecessary reset should be removed
// (hw.Module.Data) or listed in unneeded, with a name like "uart.count". A reset that is listed
// but necessary also fails. With -short, Resets checks nothing and logs this.
func Resets[P any](t testing.TB, g hw.Generator[P], drive Drive, unneeded ...string) {
	t.Helper()
	if testing.Short() {
		t.Log("NOT EXECUTED: resets, because of -short")
		return
	}
	d, err := hw.Elaborate(g)
	if err != nil {
		t.Fatal(err)
	}
	check := func(seed uint64) error {
		inputs, err := record(d, seed, drive)
		if err != nil || seed > 0 {
			return err
		}
		c := comparison{design: d, engine: fourState, inputs: inputs}
		c.run()
		return c.err
	}
	if err := check(0); err != nil {
		t.Fatal(err)
	}
	unnoticed := bench.Unreset(d, 16, check)
	for _, name := range unnoticed {
		if !slices.Contains(unneeded, name) {
			t.Errorf("nobody misses the reset of %s: remove it (Module.Data), or list it in unneeded", name)
		}
	}
	for _, name := range unneeded {
		if !slices.Contains(unnoticed, name) {
			t.Errorf("the reset of %s is needed", name)
		}
	}
}

package hwtest

import (
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// Resets requires that each reset of a register is missed when it is gone: by
// drive, from one of sixteen random states, or by outputs that stay unknown. A reset that
// nobody misses, but for those of the registers in unneeded, named as in
// "uart_d4.count", had better be none (hw.Module.Data); one that is listed and
// missed fails as well. With -short it checks nothing, and its log says so.
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
			t.Errorf("nobody misses the reset of %s", name)
		}
	}
	for _, name := range unneeded {
		if !slices.Contains(unnoticed, name) {
			t.Errorf("the reset of %s is needed", name)
		}
	}
}

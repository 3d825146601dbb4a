package netlist

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	d, _ := hw.Elaborate(skid.Stage[hw.Bits]{Of: hw.Width(8)})
	os.MkdirAll("/tmp/mut/zz", 0755)
	n, err := New(d, "/tmp/mut/zz")
	if err != nil {
		t.Fatal(err)
	}
	l, err := n.Mutants(30, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range l {
		y, err := x.Equivalent()
		t.Log(x, y, err)
		if err != nil {
			return
		}
	}
}

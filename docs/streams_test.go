package docs_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStreams: the module of the page returns all sums on one stream and the odd sums
// on the other.
func TestStreams(t *testing.T) {
	dir := module(t, map[string]string{"sums/sums.go": example(t, "streams"), "sums/sums_test.go": `package sums_test

import (
	"fmt"

	"example.com/mine/sums"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
)

// What else the page names.
var (
	_ = stream.Map[hw.Bits, hw.Bits]
	_ = stream.Arbitrate[hw.Bits]
	_ = stream.Widen[hw.Bits]
	_ = stream.Narrow[hw.Bits]
	_ = stream.Buffer[hw.Bits]
	_ = stream.Check[hw.Bits]
	_ = stream.Wide[hw.Bits]{}.Keep
	_ = arb.Word[hw.Bits]{}.Last
)

func Example() {
	d, err := hw.Elaborate(sums.Adder{})
	if err != nil {
		panic(err)
	}
	b, _ := bench.New(d, 1)
	x, y, all, odd := b.Push("a"), b.Push("b"), b.Pop("sums"), b.Pop("odd")
	odd.Rate = 0.3
	for i := range uint64(4) {
		x.Send(0, bench.Item{i})
		y.Send(0, bench.Item{2 * i})
	}
	fmt.Println(b.Drain(6, 100), all.Got[0], odd.Got[0])
	// Output: <nil> [[0] [3] [6] [9]] [[3] [9]]
}
`})
	out, ok := golang(t, dir, "test", "./sums")
	require.True(t, ok, out)
}

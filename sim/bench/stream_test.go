package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
	"github.com/hotline-rtl/hotline/sim/bench"
)

type point struct {
	X hw.Bits `hw:"Bits"`
	Y hw.Bits `hw:"3"`
}

func TestStreamsOfRecords(t *testing.T) {
	sizes := struct{ Bits int }{70}
	d, err := hw.Elaborate(skid.Stage[point]{Of: hw.Of[point](sizes)})
	require.NoError(t, err)
	b, err := bench.New(d, 1)
	require.NoError(t, err)
	push, pop := bench.PushOf[point](b, "push", sizes), bench.PopOf[point](b, "pop", sizes)
	sent := []bench.Item{{1, 2, 3}, {^uint64(0), 63, 7}}
	for _, it := range sent {
		push.Send(0, it)
	}
	require.NoError(t, b.Drain(2, 10))
	require.Equal(t, sent, pop.Got[0])
}

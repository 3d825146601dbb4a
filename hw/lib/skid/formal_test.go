package skid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// proof asserts the guarantees of a stage. Words stay until they are taken, keep their order and
// do not exceed the capacity.
type proof struct{ Words int }

func (p proof) Build(m *hw.Module) struct{} {
	of := hw.Width(8)
	push, pop, follow := m.Sink("push", 8), m.Source("pop", 8), m.In("follow", 1)
	stage := hw.Inst(m, "stage", stages(8)[2-p.Words])
	stage.Push.Connect(push)
	pop.Connect(stage.Pop)
	stream.Assume(m, "in", of, push)
	stream.Check(m, "out", of, pop)
	stream.InOrder(m, "order", of, push, pop, p.Words, follow)
	return struct{}{}
}

func TestFormal(t *testing.T) {
	for words, register := range map[int]string{1: "data", 2: "full"} {
		d, err := hw.Elaborate(proof{words})
		require.NoError(t, err)
		formal.Holds(t, d)
		bench.Stick(d, map[int]string{1: "stage", 2: "skid"}[words], register)
		formal.Fails(t, d, "order: words keep their order")
	}
}

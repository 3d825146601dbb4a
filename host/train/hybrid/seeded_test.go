package hybrid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// TestSeededBugs: updates that are a mini-batch late, or missing, are found.
func TestSeededBugs(t *testing.T) {
	model := systemtest.DLRM()
	for kind, last := range map[consistency.Kind]int{consistency.StaleRead: 3, consistency.LostUpdate: systemtest.Batches - 1} {
		h := hybrid.New(systemtest.Server(t, 1, false), systemtest.Initial(t, model))
		kinds, f := systemtest.Kinds(t, h, &systemtest.Hooks{OnEnd: takeBack(t, model, last, h.Tables)})
		require.True(t, kinds[kind], f.String())
	}
}

// rows holds the tables of a system.
type rows interface {
	Read(table int, index uint32, dst []float32) error
	Write(table int, index uint32, src []float32) error
}

// takeBack reverts the updates of a mini-batch to all rows.
func takeBack(t *testing.T, model dlrm.Config, last int, tables rows) func(m int) {
	var old [][]float32
	return func(m int) {
		if m != last-1 && m != last {
			return
		}
		i := 0
		for table, x := range model.Tables {
			for index := range uint32(x.Rows) {
				if m < last {
					old = append(old, make([]float32, model.Dim))
					require.NoError(t, tables.Read(table, index, old[i]))
				} else {
					require.NoError(t, tables.Write(table, index, old[i]))
				}
				i++
			}
		}
	}
}

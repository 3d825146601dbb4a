package papers

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// What the Hotline paper states, or follows from it.
const (
	popularOf4 = 3       // of 4 inputs (Sec. VII-F1)
	hotTable   = 1 << 21 // rows on each GPU: 512 MB of 64 values
	cold       = 6       // rows of another input that are not hot; 5 to 9 in the Criteo log
	perCycle   = 60      // lookups that the accelerator classifies (Fig. 16)
	clock      = 2857 * node.Picosecond
	pcie       = 91 * node.Picosecond // a byte, at 11 GB/s
)

// counts are those of a mini-batch of a model as the Hotline paper describes it.
func counts(m rec.Config, inputs int) timing.Work {
	others, lookups := inputs*(4-popularOf4)/4, inputs*m.Lookups()
	bytes := others * cold * m.Dim * 4
	return timing.Work{
		Inputs: inputs, Popular: inputs - others, HotRows: lookups / 4, ColdRows: others * cold, ColdCopies: others * cold, Listed: lookups / 2, HotTable: hotTable,
		Slots: hotTable, Fills: others * cold, Leaves: others * cold,
		Classify: node.Time(lookups) * clock / perCycle, Gather: node.Time(bytes) * pcie, Update: node.Time(2*bytes) * pcie,
	}
}

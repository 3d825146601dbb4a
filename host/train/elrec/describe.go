package elrec

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the descriptions of EL-Rec and TT-Rec, which share a block.
func Descriptions() []registry.Description {
	o := DefaultOptions()
	list := []registry.Description{
		{Name: "elrec", Title: "EL-Rec (SC 2022): large tables in tensor-train form on the GPUs, products reused", New: registry.Optioned(New)},
		{Name: "tt-rec", Title: "TT-Rec (MLSys 2021): the same form, multiplied lookup by lookup", New: registry.Optioned(NewTTRec)},
	}
	for i := range list {
		d := &list[i]
		d.Block, d.Options, d.Guarantee, d.Reference, d.Keeps = "elrec", &o, registry.Approximate, reference, keeps
		d.Mechanisms = []registry.Mechanism{{Count: CountLookups, Idle: "no table is large enough for tensor-train form"}}
	}
	return list
}

// reference returns sequential training of the cores.
func reference(s train.System, from *train.State) consistency.Reference {
	return consistency.NewFormed(from, s.(*System).Rule())
}

// keeps estimates the memory of the tables in tensor-train form on all GPUs, with their gradients.
func keeps(model dlrm.Config, set registry.Setting, inputs float64) registry.Need {
	bytes := float64(set.GPUs) * set.Options.(*Options).Bytes(model, inputs)
	return registry.Need{What: "tables in tensor-train form", Bytes: bytes, Attribute: "rank", Cure: "use a smaller rank or threshold"}
}

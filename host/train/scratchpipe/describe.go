package scratchpipe

import "github.com/hotline-rtl/hotline/host/train/registry"

// Descriptions returns the variants of ScratchPipe, which share a block.
func Descriptions() []registry.Description {
	o := DefaultOptions()
	list := []registry.Description{
		{Name: "scratchpipe", Title: "ScratchPipe (ISCA 2022): rows come to the GPUs before they are read, in a pipeline", New: registry.Optioned(New)},
		{Name: "scratchpipe-strawman", Title: "the same, one mini-batch after the other", New: registry.Optioned(NewStrawman)},
		{Name: "scratchpipe-ideal", Title: "the same without read-after-write dependencies, as in the Hotline paper", Guarantee: registry.Approximate, New: registry.Optioned(NewIdeal)},
	}
	for i := range list {
		list[i].Block, list[i].Options = "scratchpipe", &o
	}
	return list
}

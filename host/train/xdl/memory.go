package xdl

import "github.com/hotline-rtl/hotline/host/train/cluster"

const (
	valueBytes = 4
	entryBytes = 16 // of a dictionary: an id and a place
)

// reserve reserves memory for mini-batches of at most the given number of inputs. It returns an error
// if the memories are too small.
func (x *System) reserve(inputs int) error {
	model, host, dense := x.Model(), x.machine.Host, x.net.Len()
	for _, gpu := range x.machine.GPUs {
		share := (dense + len(x.machine.GPUs) - 1) / len(x.machine.GPUs)
		gpu.Memory.Reserve("dense parameters", share*valueBytes)
		gpu.Memory.Reserve("dense gradients", share*valueBytes)
		cluster.ReserveStates(gpu.Memory, "optimiser states of dense parameters", model, share)
		gpu.Memory.Reserve("dictionary of rows", model.Rows()*entryBytes)
		host.Reserve("dense parameters", dense*valueBytes)
		host.Reserve("dense gradients", dense*valueBytes)
	}
	x.rows = host.Alloc("rows of a mini-batch", inputs*model.Lookups()*model.Dim*valueBytes)
	host.Reserve("activations and their gradients", 2*inputs*model.Activations()*valueBytes)
	return x.machine.Fits()
}

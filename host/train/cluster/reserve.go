package cluster

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Reserve takes the memory of each GPU for its replica and for what it computes in
// mini-batches of at most so many inputs, and tells whether all that was taken of
// the machine fits: the error is that of server.Fits.
func (c *Cluster) Reserve(inputs int) error {
	for g, gpu := range c.GPUs {
		dense := gpu.Net.Len()
		gpu.Memory.Reserve("dense parameters", dense*valueBytes)
		gpu.Memory.Reserve("dense gradients", dense*valueBytes)
		ReserveStates(gpu.Memory, "optimiser states of dense parameters", c.from.Model, dense)
		gpu.Memory.Reserve("activations and their gradients", 2*c.Share(inputs, g)*c.from.Model.Activations()*valueBytes)
	}
	return c.machine.Fits()
}

// ReserveStates takes memory for what the optimiser of a model keeps of so many
// values, if it does.
func ReserveStates(s *server.Space, name string, model dlrm.Config, values int) {
	if n := model.Optimiser.StateLen(values); n > 0 {
		s.Reserve(name, n*valueBytes)
	}
}

package cluster

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Reserve reserves memory on each GPU for its replica and for activations and gradients of
// mini-batches of at most the given number of inputs. It returns the error of server.Fits if the
// machine's memories cannot hold all reservations.
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

// ReserveStates reserves memory for the optimiser's state of the given number of dense parameters,
// if the model's optimiser has any.
func ReserveStates(s *server.Space, name string, model dlrm.Config, values int) {
	if n := model.Optimiser.StateLen(values); n > 0 {
		s.Reserve(name, n*valueBytes)
	}
}

// ReserveRowStates reserves memory for the states of embedding rows, as [ReserveStates] does.
func ReserveRowStates(s *server.Space, name string, model dlrm.Config, rows int) {
	if n := model.Optimiser.RowStateLen(model.Dim); n > 0 {
		s.Reserve(name, rows*n*valueBytes)
	}
}

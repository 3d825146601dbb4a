// Package server simulates the machine around the accelerator: a kernel, host memory, a root
// complex with a switch below it, GPUs and a slot.
//
//	s, _ := server.New(server.DefaultConfig())
//	card, _ := accel.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
//	dev, _ := s.Insert(card)
//	drv, _ := driver.Open(dev, driver.DefaultOptions())
//
// The accelerator and the GPUs are below one switch. Therefore the accelerator's accesses to GPU
// memory do not cross the root complex.
//
// A machine without values computes nothing and holds zeros instead of data. Its behaviour and
// timing are otherwise the same.
//
// The memories can be backed by external storage at the same bus addresses, so that a card outside
// the simulation can access them.
//
// Guarantees:
//   - Every access of a driver to the card is a TLP on the card's link.
//   - Memory is allocated in named regions, and no access leaves its region.
//   - Every wait ends, with the interrupt or with an error.
package server

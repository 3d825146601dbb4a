// Package server is the simulated machine around the accelerator: a kernel,
// host memory, a root complex with a switch below it, GPUs and a slot.
//
//	s, _ := server.New(server.DefaultConfig())
//	card, _ := accel.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
//	dev, _ := s.Insert(card)
//	drv, _ := driver.Open(dev, driver.DefaultOptions())
//
// The accelerator and the GPUs sit below one switch, so that what the
// accelerator reads from and writes to GPUs does not cross the root complex.
//
// A machine can be without values: then nobody computes on it, and what would be
// filled is zero. Everything else is as ever, and takes the same time.
//
// Its memories can lie in bytes of someone else, at the same bus addresses, so that a
// card that is not simulated here works on them.
//
// It promises that whatever a driver does to the card is a TLP on the card's
// link, that memory is handed out in named regions which no access leaves, and
// that a wait ends: with the interrupt, or with an error.
package server

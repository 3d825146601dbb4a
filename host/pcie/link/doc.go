// Package link simulates PCI Express at the level of TLPs. Links have a width, a
// generation, a latency and credits. The package also provides a root complex with host memory,
// peer-to-peer traffic and interrupts, switches, endpoints with a DMA engine, and GPUs.
//
//	k := des.NewKernel()
//	rc, _ := link.NewRootComplex(k, link.DefaultRootConfig(), memory)
//	ep, _ := link.NewEndpoint(k, link.DefaultEndpointConfig(), core)
//	l, _ := rc.Attach(link.DefaultConfig(), ep)
//	rc.Write32(ep.BAR().Base, 1)
//
// The package guarantees:
//   - The ordering rules of PCI Express hold between one source and one destination. Posted writes
//     stay in order. Reads and completions never pass them unless their attributes allow it. Posted
//     writes never wait for reads.
//   - Every TLP on a link has credits, except TLPs added by an injector.
//   - Each read ends with its data or with an error. The error occurs no later than the completion
//     timeout, unless the host has disabled the timeout.
//   - The same calls produce the same sequence of TLPs, to the picosecond.
//
// An endpoint has a configuration space (host/pcie/config), which controls its behaviour. Root
// complex, switches and GPUs have no configuration space; their configuration in Go is fixed.
//
// There is one virtual channel. Queues implement the ordering table (pcie.MayPass): a TLP without
// credits blocks only the TLPs that must stay behind it. The root complex and switches keep the
// order of arrival, unless Reorder enables every order that the table allows.
//
// The data link layer (host/pcie/dll) runs only on links with [Noise] and repairs the resulting
// errors. On other links, it would have no effect and is omitted; [Config.TLPShare] and the latency
// model its cost.
//
// The package is not safe for concurrent use: all calls must be made on the goroutine of the
// kernel.
package link

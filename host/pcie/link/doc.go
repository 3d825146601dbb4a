// Package link simulates PCI Express at the level of TLPs: links with width,
// generation, latency and credits; a root complex with host memory, peers and
// interrupts; switches; endpoints with a DMA engine; GPUs.
//
//	k := node.NewKernel()
//	rc, _ := link.NewRootComplex(k, link.DefaultRootConfig(), memory)
//	ep, _ := link.NewEndpoint(k, link.DefaultEndpointConfig(), core)
//	l, _ := rc.Attach(link.DefaultConfig(), ep)
//	rc.Write32(ep.BAR().Base, 1)
//
// It promises
//   - the ordering rules of PCI Express between one source and one destination:
//     posted writes stay in order, reads and completions never pass them unless
//     their attributes allow it, and posted writes never wait for reads;
//   - that every TLP on a link had its credits, but those that an injector adds, and
//     that each read ends: with its data, or with an error no later than the completion
//     timeout, unless the host has disabled it;
//   - the same sequence of TLPs, to the picosecond, for the same calls.
//
// An endpoint has a configuration space (host/pcie/config) and obeys it; root
// complex, switches and GPUs have none, and are what their configuration says.
//
// There is one virtual channel. Queues obey the ordering table (pcie.MayPass): a TLP
// without credits holds up what must stay behind it, and nothing else. The root
// complex and switches keep the order of arrival, unless Reorder makes use of all
// that the table allows.
//
// The data link layer (host/pcie/dll) runs on links with [Noise], and repairs what that
// does. On others it is left out, as it would change nothing: what it costs is
// [Config.TLPShare] and latency.
//
// All of it belongs to the goroutine of its kernel.
package link

// Package rootport is a PCIe root port with a card below it whose host is another
// process: what package vfiouser shows to its clients. Accesses to a BAR become
// memory requests on the card's link; the card's own requests become DMA in the
// client's memory, and the writes of its MSI-X vectors interrupts there. Accesses to
// the configuration space are configuration requests on the link: the space is the
// card's own.
//
//	p, _ := rootport.New(rootport.DefaultConfig(), card, host)
//	defer p.Close()
//
// The card's time passes while it has something to do and nobody has to be waited
// for: it stands still while the client fetches what the card wants to read, so that
// no timeout depends on how fast that is. An access goes on meanwhile, because the
// client may wait for its answer before it serves any DMA.
//
// It promises
//   - that DMA and interrupts happen in the order in which they arrive from the
//     card, one after the other: an interrupt finds all earlier writes in memory;
//   - that an access ends, with all ones if the card does not answer;
//   - that nothing of the card's past comes after a reset, or when bus mastering has
//     ended, except the DMA that was just being done.
//
// A reset puts another card in the place of the old one. A function-level reset is the
// card's own.
//
// It may import host/node, host/pcie, host/pcie/link and host/vfiouser.
package rootport

// Package rootport is a PCIe root port with a card below it whose host is another
// process: what package vfiouser shows to its clients. Accesses to a BAR become
// memory requests on the card's link. The card's own requests become DMA in the
// client's memory, and its MSI-X messages become interrupts there; they are known by
// their mark, not by an address. Accesses to the configuration space are configuration
// requests on the link: the space is the card's own.
//
//	p, _ := rootport.New(rootport.DefaultConfig(), card, host)
//	defer p.Close()
//
// Simulated time passes while the card has something to do, and during an access. It
// stops while the card is idle, while the client owes the answer to a read that is
// due, and while 256 writes have no answer. An access then still takes the time of its
// TLPs, because the client may wait for the access before it serves DMA; but reads of
// the card do not age meanwhile. So no completion timeout depends on how fast a
// client is, or on how often it polls.
//
// The port promises
//   - the ordering rules of PCI Express up to its host: nothing passes a posted write
//     of the card, neither a write, read or interrupt of the card nor the answer to an
//     access, and a posted write waits for no read;
//   - that an access ends, with all ones if the card does not answer;
//   - that requests which have left the card are carried out, also when bus mastering
//     has ended since;
//   - that nothing of the card's past comes after a reset.
//
// A reset puts another card in the place of the old one. A function-level reset is the
// card's own.
package rootport

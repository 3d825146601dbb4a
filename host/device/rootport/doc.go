// Package rootport implements a PCIe root port with a card below it, whose host is another process.
// Package vfiouser presents the port to its client. Accesses to a BAR become memory requests on the
// card's link. The card's own requests become DMA in the client's memory. Its MSI-X messages become
// interrupts of the client; a mark identifies them, not an address. Accesses to the configuration
// space become configuration requests on the link, so that the client sees the card's own space.
//
//	p, _ := rootport.New(rootport.DefaultConfig(), card, host)
//	defer p.Close()
//
// Simulated time advances while the card has work, and during an access. It stops while the card is
// idle, while the client owes the answer to a due read, and while 256 writes have no answer. In
// these cases an access still takes the time of its TLPs, because the client may wait for the
// access before it serves DMA. The age of the card's reads does not advance meanwhile. Therefore no
// completion timeout depends on the speed or the polling rate of a client.
//
// Guarantees:
//   - The ordering rules of PCI Express hold up to the host. No write, read or interrupt of the card
//     and no answer to an access passes a posted write of the card. A posted write waits for no
//     read.
//   - Every access ends, with all ones if the card does not answer.
//   - Requests that have left the card are executed, even if bus mastering was disabled since.
//   - Nothing from before a reset arrives after the reset.
//
// A reset replaces the card by a new card. A function-level reset is performed by the card itself.
package rootport

// Package card makes a PCIe card of any design that is simulated behind a [sim.Simulator]. A
// description in HCL contains the identity of the card:
//
//	title     = "copy engine"
//	clock_mhz = 250
//	vendor    = "1234"
//	device    = "c0de"
//	class     = "ff0000"
//	revision  = "01"
//	bar_kib   = 64
//
// The card is a device for the simulated machine of package server, and for virtual machines:
//
//	d, err := card.Load("card.hcl")
//	err = d.Serve(ctx, "/tmp/card", newSimulator, log)
//
// docs/how-to/own-card.md lists the ports of the design.
//
// Guarantees:
//   - A design that lacks a port, or has another width, is an error that lists all such ports.
//   - The card keeps the rules of PCI Express, whatever its design does: packages link and rootport
//     do the work.
package card

// Package pcie holds the rules of PCI Express transaction-layer packets (TLPs):
// their format, byte enables, how requests and completions may be split, what
// may pass what, which credits they take, and how long they are on the wire.
//
// It promises
//   - that [TLP.AppendTo] and [Decode] are exact inverses, bit by bit, and that
//     what they refuse they refuse with what was found and what was expected;
//   - that [Expect] accepts every legal way to complete a read and refuses
//     every other one;
//   - no state, no time, no I/O: a link, a root complex and endpoints that keep
//     these rules are in host/pcie/link.
//
// Section numbers in comments are those of the PCI Express Base Specification,
// revision 5.0.
package pcie

// Package pcie implements the rules of PCI Express transaction-layer packets (TLPs): their format,
// byte enables, the splitting of requests and completions, ordering, flow-control credits, and
// sizes on the wire.
//
// It guarantees:
//   - [TLP.AppendTo] and [Decode] are exact inverses, bit by bit. Their errors state the actual and
//     the expected value.
//   - [Expect] accepts every legal way to complete a read and rejects every other.
//   - The package has no state, no time and no I/O. Package host/pcie/link provides a link, a root
//     complex and endpoints that follow these rules.
//
// Section numbers in comments refer to the PCI Express Base Specification, revision 5.0.
package pcie

// Package arb holds arbiters with rotating priority: RoundRobin for requests,
// Mux for streams of packets. Whoever waits is served before any other
// requester is served twice.
//
// The package imports hw and hw/lib/lanes.
package arb

// Package arb holds arbiters with rotating priority: RoundRobin for requests,
// Mux for streams of packets. Whoever waits is served before any other
// requester is served twice.
package arb

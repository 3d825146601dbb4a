// Package arb provides arbiters with rotating priority: RoundRobin for requests, Mux for streams
// of packets. No requester is served twice while another requester waits.
package arb

// Package conformance tests the guarantees of a driver.Device, for any implementation: a simulated
// card, a card behind a socket, or a card behind VFIO. Each file contains one guarantee.
//
//	conformance.Test(t, conformance.Backend{Open: open})
//
// The package tests all guarantees for both ways in which a read of an unresponsive device can
// fail: with an error, and with all ones.
package conformance

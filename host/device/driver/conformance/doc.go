// Package conformance tests what a driver.Device promises to its driver, on whatever
// is behind it: a simulated card, one behind a socket, or one behind VFIO. There is a
// file for each promise.
//
//	conformance.Test(t, conformance.Backend{Open: open})
//
// All of them are tested in both styles in which a device that does not answer can be
// read: as an error, and as all ones.
package conformance

// Package vfiouser lets another process attach a simulated PCIe function: a server
// of the vfio-user protocol, version 0.0, over a UNIX socket. A virtual machine
// monitor that speaks it, such as QEMU with its vfio-user-pci device, shows the
// function to a guest, whose driver needs no change. It is for Linux.
//
// A [Server] serves one client at a time with a [Device], which reaches the
// client's memory and interrupts through the server. Three goroutines share the
// work: one reads the socket and never waits for the device, because answers to
// DMA come on the same socket; one carries out commands in order; and the device
// has one or more of its own for DMA and interrupts. A client may refuse DMA while
// it waits for the answer to an access, so a device answers first and does the DMA
// afterwards.
//
// It promises
//   - that memory for which the client passed a file is read and written there, and
//     other memory by messages;
//   - that an unmapped window is not touched any more once the client has the
//     answer, if it is of a file;
//   - that no DMA and no interrupt leaves a function that is not bus master;
//   - that an interrupt without an eventfd stays pending until there is one;
//   - that whatever a client sends is answered, refused with an errno, or, where the
//     stream itself is broken, ends the connection, and that every descriptor it
//     passed is closed when it is not needed any more.
//
// It may import the standard library only.
package vfiouser

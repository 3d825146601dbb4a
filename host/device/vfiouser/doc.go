// Package vfiouser lets another process attach a simulated PCIe function: a server
// of the vfio-user protocol, version 0.0, over a UNIX socket. A virtual machine
// monitor that speaks it, such as QEMU with its vfio-user-pci device, shows the
// function to a guest, whose driver needs no change. It is for Linux.
//
// A [Server] serves one client at a time with a [Device], which reaches the client's
// memory and interrupts through the server, its [Host]. A client owns the device until
// it goes: what it has sent and the server has not yet carried out is discarded, the
// device is reset, and the next client is served. Other clients get EBUSY meanwhile.
//
// Two goroutines serve a client. One reads the socket; the other carries out commands and
// hands answers to DMA reads to the device, in the order in which they came. Nothing in
// this order waits for a later message, because a client may refuse to serve DMA while it
// waits for an answer (QEMU does). At most 256 messages wait; then the socket fills up.
//
// The order of PCI Express holds on the socket. A write of the device is in shared memory,
// or in a message that the client receives before any later answer. While such a message
// has no answer, later DMA goes by messages too, also to shared memory. Interrupts, which
// do not use the socket, wait until the client has answered.
//
// The package promises
//   - that memory for which the client passed a file is read and written there, and
//     other memory by messages;
//   - that an unmapped window is not touched any more once the client has the
//     answer, if it is of a file;
//   - that an interrupt without an eventfd stays pending until there is one;
//   - that whatever a client sends is answered, refused with an errno, or, where the
//     stream itself is broken, ends the connection, and that every descriptor it
//     passed is closed when it is not needed any more.
//
// It may import the standard library only.
package vfiouser

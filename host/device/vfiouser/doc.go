// Package vfiouser lets another process attach a simulated PCIe function. It implements a server of
// the vfio-user protocol, version 0.0, over a UNIX socket. A virtual machine monitor with vfio-user
// support, such as QEMU with its vfio-user-pci device, presents the function to a guest. The
// guest's driver needs no change. The package requires Linux.
//
// A [Server] serves one client at a time with a [Device]. The device accesses the client's memory
// and interrupts through the server, its [Host]. A client owns the device until it disconnects.
// Then the server discards commands that it has not executed, resets the device, and serves the
// next client. Meanwhile other clients get EBUSY.
//
// Two goroutines serve a client. One reads the socket. The other executes commands and passes
// answers to DMA reads to the device, in order of arrival. Nothing in this order waits for a later
// message, because a client may refuse to serve DMA while it waits for an answer (QEMU does). At
// most 256 messages wait; then the socket fills up.
//
// The ordering rules of PCI Express hold on the socket. A write of the device is in shared memory,
// or in a message that the client receives before any later answer. While such a message is
// unanswered, later DMA also uses messages, even for shared memory. Interrupts do not use the
// socket, so they wait until the client has answered.
//
// Guarantees:
//   - Memory for which the client passed a file is accessed through the file, other memory by
//     messages.
//   - A window backed by a file is not accessed after the client has received the answer to its
//     unmapping.
//   - An interrupt without an eventfd stays pending until it has an eventfd.
//   - Every message from a client is answered or rejected with an errno. A broken stream ends the
//     connection. Every file descriptor from the client is closed when it is no longer needed.
//
// The package may import only the standard library.
package vfiouser

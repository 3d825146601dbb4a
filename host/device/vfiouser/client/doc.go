// Package client implements the client side of a vfio-user socket, for tests. It acts like a
// virtual machine monitor. It is written from the protocol specification alone and shares no code
// with the server, so that a mistake in one does not hide in the other. [Device] runs the project's
// driver through a client. The package requires Linux.
//
// A [Client] is used by one goroutine. Like a monitor that holds its big lock, it serves DMA
// messages only while it waits for nothing else, in [Client.Pump]. A server that performs DMA
// before it answers an access therefore hangs.
package client

// Package client is the other end of a vfio-user socket, for tests: it does what a
// virtual machine monitor does, without one. It is written from the table of the
// protocol alone and shares nothing with the server, so that a mistake of one is not
// a mistake of both. [Device] runs the project's driver through it. It is for Linux.
//
// A [Client] is used by one goroutine. Like a monitor that holds its big lock, it
// answers DMA by messages only when it waits for nothing else, in [Client.Pump]; a
// server that does DMA before it answers an access hangs.
package client

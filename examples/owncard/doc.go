// Package owncard is a PCIe card of your own: a copy engine with a checksum, in package hw, its
// description for package card, and a driver in user space. docs/how-to/own-card.md explains it.
package owncard

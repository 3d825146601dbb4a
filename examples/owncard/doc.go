// Package owncard is a PCIe card of your own: a copy engine with a checksum, in package hw, its
// description for package card, and a driver in user space. docs/how-to/own-card.md explains it.
package owncard

import _ "embed" // of card.hcl

// Description is the text of card.hcl, for package card.
//
//go:embed card.hcl
var Description []byte

// Package ring tests hotline_ring.c of the kernel driver in user space: testdata has
// what the file uses of the kernel, and a card.
package ring

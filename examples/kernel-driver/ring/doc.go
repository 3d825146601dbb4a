// Package ring tests hotline_ring.c of the kernel driver in user space. Its testdata contains the
// parts of the kernel that the file uses, and a model of the device.
package ring

// Package fp32test generates random operands for tests of binary32 units and computes the expected
// results on the host.
package fp32test

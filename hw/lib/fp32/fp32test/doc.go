// Package fp32test draws operands for tests of binary32 units, and has the host compute what the units
// must give.
package fp32test

// Package crc provides CRC-32C (Castagnoli; RFC 3720 appendix B.4) as exclusive-or networks: a
// module for words of fixed length, and a single step for longer data.
package crc

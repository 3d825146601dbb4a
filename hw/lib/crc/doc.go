// Package crc holds CRC-32C (Castagnoli; RFC 3720 appendix B.4) as exclusive-or
// networks: a module for a word of fixed length, and the step for longer data.
package crc

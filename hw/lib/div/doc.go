// Package div holds a divider that takes a cycle for each bit, where Bits.Div would be
// too long a path. Its results are those of Bits.Div and Bits.Mod, for a divisor of 0
// as well.
package div

// Package div provides a divider that computes one bit per cycle, for widths at which the path of
// Bits.Div would be too long. Its results equal Bits.Div and Bits.Mod, also for a divisor of 0.
package div

// Package exact adds float32 values and products of two float32 values with a result that does not depend on the order of
// the additions, nor on how they are divided among accumulators that are merged at the end.
//
// # Rule
//
// A product of two float32 values has at most 48 significant bits and is exact in float64. Before it is added it is rounded
// (to nearest, ties to even) to a multiple of [Grid] by
//
//	q = (p + C) - C,  C = 1.5 * 2^12
//
// because float64 numbers between 2^12 and 2^13 are spaced by 2^-40 and |p| <= 2^11 keeps p + C in that interval. That
// rounding looks at one summand alone. Sums of multiples of Grid are exact in float64 up to 2^13, four times [Limit]; exact
// addition is associative and commutative. What leaves the accumulator is rounded once, to float32.
//
// The rule holds on machines that fuse multiplication and addition: as the product is exact, fusing it changes nothing.
//
// # Range
//
// Each accumulator keeps its load: the sum, over all Add calls, of an upper bound of the summands' magnitude (for an outer
// product y*x, max|y| * max|x|), rounded up to the grid. Loads are sums of non-negative multiples of Grid, and such sums pass
// Limit in every order or in none. While the load is within Limit every partial sum in any order is exact; when it is not, or
// when a summand was infinite or not a number, Round and Err report it, for every order and every division alike.
//
// # Resolution
//
// Summands of at most 2^-41 vanish, and n summands carry a rounding error of at most n*2^-41. The values summed here are
// gradients of a mean over a mini-batch; times a learning rate of at most 1, a change of 2^-41 is below half a unit in the
// last place of every parameter of 2^-16 or more.
//
// The package imports only the standard library.
package exact

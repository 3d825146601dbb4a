// Package exact adds float32 values and products of two float32 values. The result depends neither
// on the order of the additions nor on how they are divided among accumulators that are merged at
// the end.
//
// # Rule
//
// Each summand is rounded to a multiple of [Grid], 2^-48, and the sum of those multiples is exact.
// The sum is rounded to float32 once, when it is read.
//
// A summand is y*x, where the last bit of y, as a float64, is set first (a plain value is y*1).
// This changes y by at most 2^-52 of its value. It ensures that no product within the range of an
// accumulator is halfway between two multiples of the grid. A product of numbers that are at least
// 2^a and 2^b, with a+b at most 2, has its last bit at 2^(a+b-52) or below. A halfway case would
// end at 2^-49.
//
// # Accumulators
//
// An accumulator is a float64 between 16 and 32, where the spacing of float64 numbers is 2^-48. It
// starts at 24. There,
//
//	s = fma(y, x, s)
//
// rounds y*x to the nearest multiple of the grid and adds it. One instruction does both, for 4 or 8
// products in a vector. The rounding does not depend on s, because it could depend on s only in
// halfway cases. The roundings have no preferred direction. The error of n summands is at most
// n*2^-49, and typically about sqrt(n)*2^-50. Truncation would be as fast and simpler to explain,
// but it would shift each sum by n*2^-49. An optimiser that divides by the size of the gradients,
// such as Adagrad, would turn this shift into a step.
//
// # Overflow
//
// A vector of sums keeps its load: a bound on the sum of the magnitudes of its summands. Before the
// load exceeds 7.5, the accumulators are emptied into 384-bit integers in units of the grid. A
// product that is itself larger is added to the integers directly, rounded to the nearest integer
// (halves away from zero). Integer addition is also associative, so the time at which accumulators
// are emptied does not matter. The integers can hold 2^79 products of any float32 values.
//
// Round returns an error for a summand that is infinite or NaN, and for a sum beyond float32,
// independent of order and division.
//
// # Resolution
//
// Summands below 2^-49 vanish. The summands in training are gradients of a mean over a mini-batch.
// With a learning rate of at most 1, a change of 2^-49 is below half a unit in the last place of
// every parameter of at least 2^-24.
package exact

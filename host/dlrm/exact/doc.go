// Package exact adds float32 values and products of two float32 values with a result that does not depend on the order of
// the additions, nor on how they are divided among accumulators that are merged at the end.
//
// # Rule
//
// Each summand is rounded to a multiple of [Grid], 2^-48, and the sum of those multiples is exact. What leaves the accumulator is
// rounded once, to float32.
//
// A summand is y*x, where the last bit of y, as a float64, is set first (a plain value is y*1). That changes y by at most 2^-52 of
// its value, and makes sure that no product is in the middle between two multiples of the grid, as far as accumulators hold it: a
// product of numbers from 2^a and 2^b on, with a+b at most 2, has its last bit at 2^(a+b-52) or below, while the middle would end
// at 2^-49.
//
// # Accumulators
//
// An accumulator is a float64 between 16 and 32, where float64 numbers are spaced by 2^-48; it begins at 24. There,
//
//	s = fma(y, x, s)
//
// rounds y*x to the nearest multiple of the grid and adds it: one instruction for both, and for 4 or 8 products in a vector. The
// rounding does not depend on s, because it could only where the nearest is not unique. The roundings have no
// preferred direction, so that they cancel as chance wants it: n summands are off by n*2^-49 at worst, by about sqrt(n)*2^-50 as a
// rule. (Cutting off instead would be as fast and simpler to explain, but shift each sum by n*2^-49, which an optimiser that
// divides by the size of the gradients, such as Adagrad, would make a step of.)
//
// # Beyond them
//
// A vector of sums keeps its load: a bound of the sum of the magnitudes of what was added. Before it passes 7.5, the accumulators
// are emptied into integers of 384 bits in units of the grid. A product that is itself larger goes there directly, rounded
// to the nearest (a half, away from zero). Integers are as associative as the rest, so it does not matter when
// accumulators were emptied. 2^79 products of any float32 values have room.
//
// A summand that is infinite or not a number, or a sum beyond float32, is an error of Round, for every order and every division
// alike.
//
// # Resolution
//
// Summands below 2^-49 vanish. The values summed here are gradients of a mean over a mini-batch; times a learning rate of at most
// 1, a change of 2^-49 is below half a unit in the last place of every parameter of 2^-24 or more.
package exact

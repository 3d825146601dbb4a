// Package tt is the algebra of embedding tables in tensor-train form: a table is
// three cores, and a row is the product of a slice of each (Yin et al., TT-Rec,
// MLSys 2021; Wang et al., EL-Rec, SC 2022).
//
// A table of rows x dim values is seen as one of (m1 m2 m3) x (n1 n2 n3), where the
// first product is at least rows. A row's number is i1, i2 and i3 in C order; slice
// i1 of the first core is an n1 x R matrix, slice i2 of the second R x (n2 R), slice
// i3 of the third R x n3, all row-major, where R is the rank.
//
// # The numerical rule
//
// A row is (slice 1 x slice 2) x slice 3, in that order. Every sum of a product runs
// in float32 in the order of its index, from zero, and products are rounded before
// they are added. The product of the first two slices depends on i1 and i2 only, the
// row's prefix; so rows that share it may share the product, bit by bit. The
// gradients of the slices are products by the same rule; their sums over rows belong
// to whoever trains.
package tt

// Package tt implements the algebra of embedding tables in tensor-train form. A table consists of
// three cores, and a row is the product of one slice of each core (Yin et al., TT-Rec, MLSys 2021;
// Wang et al., EL-Rec, SC 2022).
//
// A table of rows x dim values is treated as (m1 m2 m3) x (n1 n2 n3), where the first product is at
// least rows. A row's index is split into i1, i2 and i3 in C order. Slice i1 of the first core is
// an n1 x R matrix, slice i2 of the second R x (n2 R), slice i3 of the third R x n3. All are
// row-major, and R is the rank.
//
// # The numerical rule
//
// A row is (slice 1 x slice 2) x slice 3, in that order. Every sum of a product is computed in
// float32 in index order, starting from zero, and products are rounded before they are added. The
// product of the first two slices depends only on i1 and i2, the row's prefix. Therefore rows with
// the same prefix may share the product, bit by bit. The gradients of the slices are products by
// the same rule. The caller sums them over rows.
package tt

package stream_test

import "github.com/hotline-rtl/hotline/sim/bench"

// model computes the expected words of each sink from the words of each source.
type model func(in [][]bench.Item) (out [][]bench.Item)

func oddPlusOne(in [][]bench.Item) [][]bench.Item {
	var out []bench.Item
	for _, x := range in[0] {
		if x[0]%2 == 1 {
			out = append(out, bench.Item{(x[0] + 1) % 256})
		}
	}
	return [][]bench.Item{out}
}

func copies(in [][]bench.Item) [][]bench.Item { return [][]bench.Item{in[0], in[0], in[0]} }

func sums(in [][]bench.Item) [][]bench.Item {
	var out []bench.Item
	for i, x := range in[0] {
		out = append(out, bench.Item{(x[0] + in[1][i][0]) % 256})
	}
	return [][]bench.Item{out}
}

func same(in [][]bench.Item) [][]bench.Item { return in }

// lanes is the number of lanes of a wide word in the tests.
const lanes = 3

// wides collects words {data, last} into {words, keep, last}.
func wides(in [][]bench.Item) [][]bench.Item {
	var out []bench.Item
	var words, n uint64
	for _, x := range in[0] {
		words |= x[0] << (8 * n)
		n++
		if n == lanes || x[1] == 1 {
			out = append(out, bench.Item{words, 1<<n - 1, x[1]})
			words, n = 0, 0
		}
	}
	return [][]bench.Item{out}
}

func narrows(in [][]bench.Item) [][]bench.Item {
	var out []bench.Item
	for _, x := range in[0] {
		for i := range lanes {
			if x[1]>>i&1 == 1 {
				last := x[2] &^ (x[1] >> (i + 1) & 1)
				out = append(out, bench.Item{x[0] >> (8 * i) & 255, last})
			}
		}
	}
	return [][]bench.Item{out}
}

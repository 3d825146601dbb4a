package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostNumbers is the maximum length of a list; a longer list is probably a mistake.
const mostNumbers = 100_000

// numbers parses a list of numbers from 0 and of ranges, as 0,5,20-23. The result is sorted and
// without duplicates.
func numbers(text string) ([]int, error) {
	var list []int
	for _, piece := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(piece, "-")
		from, err := strconv.ParseUint(low, 10, 31)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseUint(high, 10, 31)
		}
		if err != nil || to < from || to-from >= mostNumbers {
			return nil, fmt.Errorf("%q; expected numbers from 0 and ranges with commas in between, as 0,5,20-23", piece)
		}
		for n := from; n <= to; n++ {
			list = append(list, int(n))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

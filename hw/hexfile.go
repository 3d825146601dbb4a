package hw

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// parseHex parses words in $readmemh format. Error messages begin with the line number.
func parseHex(text string, depth, width int) (words [][]uint64, err error) {
	at := 0
	for i, line := range strings.Split(blankComments(text), "\n") {
		for _, t := range strings.Fields(line) {
			digits, address := strings.CutPrefix(t, "@")
			n, ok := new(big.Int).SetString(strings.ReplaceAll(digits, "_", ""), 16)
			switch {
			case !ok || n.Sign() < 0 || strings.ContainsAny(digits, "+-"):
				return nil, fmt.Errorf("%d: found %q, expected a hexadecimal number or an address such as @1f", i+1, t)
			case address && n.Cmp(big.NewInt(int64(depth))) >= 0, !address && at == depth:
				return nil, fmt.Errorf("%d: %s is beyond the last of %d words", i+1, t, depth)
			case address:
				at = int(n.Int64())
				continue
			case n.BitLen() > width:
				return nil, fmt.Errorf("%d: %s does not fit in %d bits", i+1, t, width)
			}
			for len(words) <= at {
				words = append(words, make([]uint64, ir.Words(width)))
			}
			for k := range words[at] {
				words[at][k] = new(big.Int).Rsh(n, uint(64*k)).Uint64()
			}
			at++
		}
	}
	return words, nil
}

var hexComment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

// blankComments removes the comments from text but keeps its line breaks.
func blankComments(text string) string {
	return hexComment.ReplaceAllStringFunc(text, func(c string) string {
		return " " + strings.Repeat("\n", strings.Count(c, "\n"))
	})
}

package formal

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// initial returns the initial values of nets.
func initial(n *eda.Module) map[eda.Bit]bool {
	out := map[eda.Bit]bool{}
	for _, net := range n.Nets {
		text := net.Attributes["init"]
		for i, b := range net.Bits {
			if k := len(text) - 1 - i; k >= 0 && strings.ContainsRune("01", rune(text[k])) {
				out[b] = text[k] == '1'
			}
		}
	}
	return out
}

package gosim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestImporting(t *testing.T) {
	for _, c := range []struct{ declarations, want string }{
		{"var x uint64", ""},
		{"var x = bits.Len64(0)", "import (\n\"math/bits\"\n)\n\n"},
		{"var x sim.Port", "import (\n\"" + module + "sim\"\n)\n\n"},
		{"var x, y, z, w = wave.X, unsafe.Pointer(nil), sim.X, wave.Y", "import (\n\"unsafe\"\n\n\"" + module + "sim\"\n\"" + module + "sim/wave\"\n)\n\n"},
	} {
		require.Equal(t, "package p\n\n"+c.want+c.declarations, importing("package p\n\n"+c.declarations))
	}
}

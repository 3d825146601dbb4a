package synth

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// page returns docs/evidence/synthesis.md on one line.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/evidence/synthesis.md")
	require.NoError(t, err)
	return strings.Join(strings.Fields(string(text)), " ")
}

// TestPage: docs/evidence/synthesis.md has the same numbers as the program.
func TestPage(t *testing.T) {
	text := page(t)
	for _, sentence := range []string{
		fmt.Sprintf("if its size is at most %d:", usual.largest),
		fmt.Sprintf("modules of size %d and more", usual.least),
		fmt.Sprintf("more than %d pins of blocks or memories", fanout),
		fmt.Sprintf("A memory of at least %d bits with", leastMacro),
		fmt.Sprintf("several of at most %d bits each", widest),
		fmt.Sprintf("Setup is %g ns", setup),
	} {
		require.Contains(t, text, sentence)
	}
	require.Equal(t, 0.1, activity, "a tenth of the cycles")

	known := macro{words: 2048, width: 39}.figures()
	require.Contains(t, text, fmt.Sprintf("the model has %.3f ns and %.0f um2 for one port", known.access, known.area))
}

// TestFormulas: the formulas of docs/evidence/synthesis.md match the model.
func TestFormulas(t *testing.T) {
	text := page(t)
	for i, dual := range []bool{false, true} {
		m := macro{words: 2048, width: 96, dual: dual}
		f := m.figures()
		for name, want := range map[string]float64{
			"area, um2": f.area, "from the clock to the output, ns": f.access, "energy of a read, pJ": f.read, "leakage, nW": f.leakage,
		} {
			_, row, found := strings.Cut(text, "| "+name+" | ")
			require.True(t, found, name)
			require.InEpsilon(t, want, formula(t, strings.Split(row, " | ")[i], m), 1e-9, name)
		}
	}
}

// formula evaluates a sum such as 0.365 + 0.001341 sqrt(bits) for a macro.
func formula(t *testing.T, text string, m macro) float64 {
	t.Helper()
	sum := 0.0
	for _, term := range strings.Split(strings.TrimSuffix(text, " |"), " + ") {
		parts := regexp.MustCompile(`^([\d.]+) ?(\S*)$`).FindStringSubmatch(term)
		require.NotNil(t, parts, term)
		factor, err := strconv.ParseFloat(parts[1], 64)
		require.NoError(t, err)
		of := map[string]float64{
			"": 1, "bits": float64(m.bits()), "words": float64(m.words), "width": float64(m.width), "sqrt(bits)": math.Sqrt(float64(m.bits())),
		}
		require.Contains(t, of, parts[2])
		sum += factor * of[parts[2]]
	}
	return sum
}

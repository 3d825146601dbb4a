package ring_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// bench builds the program of testdata, from copies: go test then knows the files that
// the outcome depends on.
func bench(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
	for _, file := range []string{"hotline.h", "hotline_regs.h", "hotline_ring.c"} {
		text, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	program := filepath.Join(dir, "bench")
	out, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-I"+dir, "-o", program, filepath.Join(dir, "bench.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// play runs commands on a card that writes completions in two pieces.
func play(t *testing.T, program string, cut, upperFirst, between, commands int) string {
	out, err := exec.Command(program, fmt.Sprint(cut), fmt.Sprint(upperFirst), fmt.Sprint(between), fmt.Sprint(commands)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestCompletionInTwoPieces: the driver waits for the second piece, wherever the cut
// is and whichever piece comes first, on three passes through the ring.
func TestCompletionInTwoPieces(t *testing.T) {
	program := bench(t)
	for cut := 4; cut < 32; cut += 4 {
		for upperFirst := range 2 {
			for _, between := range []int{1, 7} { // jiffies, below and above HOTLINE_POLL
				const commands = 3 * 64
				want := fmt.Sprintf("0 after %d commands, %d jiffies, 0 resets\n", commands, (1+between)*commands)
				require.Equal(t, want, play(t, program, cut, upperFirst, between, commands))
			}
		}
	}
}

// TestPartOfACompletion: the rest may come for a tenth of a second. What stays a part
// is damaged, and the card is reset; what has no phase is a completion that is missing.
func TestPartOfACompletion(t *testing.T) {
	const (
		second = 250 // in jiffies
		poll   = second / 50
		limit  = second / 10
	)
	program := bench(t)
	require.Equal(t, fmt.Sprintf("0 after 2 commands, %d jiffies, 0 resets\n", 2*(1+limit)), play(t, program, 16, 0, limit, 2))
	require.Equal(t, fmt.Sprintf("the completion of command 1 is damaged\n-74 after 1 commands, %d jiffies, 1 resets\n", poll+limit+poll), play(t, program, 16, 0, -1, 2))
	require.Equal(t, fmt.Sprintf("command 1 is not answered: -110\n-110 after 1 commands, %d jiffies, 1 resets\n", 10*second+poll), play(t, program, 16, 1, -1, 2))
}

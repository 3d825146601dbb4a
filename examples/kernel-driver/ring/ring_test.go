package ring_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// bench builds the program in testdata. It copies the files, so that go test knows the files that
// the result depends on. oldnew replaces text of the driver. bench skips the test with -short.
func bench(t *testing.T, oldnew ...string) string {
	tools.Need(t, "gcc")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
	for _, file := range []string{"hotline.h", "hotline_regs.h", "hotline_ring.c"} {
		text, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		if file == "hotline_ring.c" && len(oldnew) > 0 {
			require.Equal(t, 1, strings.Count(string(text), oldnew[0]))
			text = []byte(strings.NewReplacer(oldnew...).Replace(string(text)))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	program := filepath.Join(dir, "bench")
	out, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-I"+dir, "-o", program, filepath.Join(dir, "bench.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// none selects no bit.
const none = -1

// play executes commands on a device that writes completions in two pieces.
func play(t *testing.T, program string, cut, upperFirst, between, commands int) string {
	return run(t, program, cut, upperFirst, between, commands, none, 0, none)
}

// damaged executes a command. The device flips a bit of its completion. If signed is 1, it does so
// before it computes the CRC.
func damaged(t *testing.T, program string, bit, signed int) string {
	return run(t, program, 16, 0, 1, 1, bit, signed, none)
}

func run(t *testing.T, program string, numbers ...int) string {
	var args []string
	for _, n := range numbers {
		args = append(args, fmt.Sprint(n))
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestCompletionInTwoPieces: the driver waits for the second piece, for every position of the cut
// and both orders of the pieces, during three passes through the ring.
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

// TestPartOfACompletion: the remainder may arrive within a tenth of a second. If a completion
// remains incomplete, it counts as damaged and the driver resets the device. A completion without
// its phase bit counts as missing.
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

// TestEachBitOfACompletion flips each bit of a completion:
//
//	bit          with the original CRC       with a recomputed CRC
//	0 to 31      damaged                     of another command: rejected
//	48, phase    no completion               no completion
//	all others   damaged                     accepted, not checked
func TestEachBitOfACompletion(t *testing.T) {
	const phase = 32 + 16
	program := bench(t)
	for bit := range 256 {
		switch got := damaged(t, program, bit, 0); bit {
		case phase:
			require.Regexp(t, `^command 1 is not answered: -110\n-110 after 1 commands, `, got)
		default:
			require.Regexp(t, `^the completion of command 1 is damaged\n-74 after 1 commands, \d+ jiffies, 1 resets\n$`, got, "bit %d", bit)
		}
	}
	for bit := range 32 {
		require.Regexp(t, fmt.Sprintf(`^completion of command %d, expected 1\n-71 after 1 commands, `, 1^uint32(1)<<bit), damaged(t, program, bit, 1), "bit %d", bit)
	}
	require.Regexp(t, `^command 1 is not answered: -110\n`, damaged(t, program, phase, 1))
}

// TestEachBitOfTheCRCOfACommand: the device rejects a command if any bit of its CRC is wrong, and
// accepts it otherwise.
func TestEachBitOfTheCRCOfACommand(t *testing.T) {
	program := bench(t)
	require.Regexp(t, `^0 after 1 commands, `, run(t, program, 16, 0, 1, 1, none, 0, none))
	for bit := range 32 {
		require.Equal(t, "command 0 has status 33\n", run(t, program, 16, 0, 1, 1, none, 0, bit), "bit %d", bit)
	}
}

// TestIgnoredBitsAreNoticed: mutated drivers that ignore a bit accept a completion that the tests
// above damage, or send commands that the device rejects.
func TestIgnoredBitsAreNoticed(t *testing.T) {
	const crc = 8 * 28
	program := bench(t, "le32_to_cpu(done->crc) != hotline_crc", "(le32_to_cpu(done->crc) | 1) != (hotline_crc", "completion, crc)))", "completion, crc)) | 1))")
	require.Regexp(t, "^0 after 1 commands, ", damaged(t, program, crc, 0), "the CRC")
	program = bench(t, "le32_to_cpu(done->id) != id", "(le32_to_cpu(done->id) ^ id) >> 1")
	require.Regexp(t, "^0 after 1 commands, ", damaged(t, program, 0, 1), "the id")
	program = bench(t, "offsetof(struct hotline_command, crc))", "offsetof(struct hotline_command, crc) - 4)")
	require.Equal(t, "command 0 has status 33\n", run(t, program, 16, 0, 1, 1, none, 0, none), "a word that the CRC leaves out")
}

package schema

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		kind string
		good map[string]uint64
		bad  []string
	}{
		{"hexadecimal", map[string]uint64{"0": 0, "a": 10, "DeadBeef": 0xdeadbeef, "ffffffff": 0xffffffff},
			[]string{"", "g", "123456789", "-1", "0x1", " 1", "1\r", "@", "`", "é", "\x00"}},
		{"decimal", map[string]uint64{"0": 0, "007": 7, "4294967295": 1<<32 - 1},
			[]string{"", "-1", "+1", "4294967296", "99999999999999999999", "1.", " 1", "a"}},
		{"signed", map[string]uint64{"0": 0, "-1": 1<<32 - 1, "4294967295": 1<<32 - 1, "-2147483648": 1 << 31},
			[]string{"", "-", "--1", "-2147483649", "4294967296"}},
	} {
		for text, want := range c.good {
			id, ok := ids[c.kind].parse([]byte(text))
			require.True(t, ok, text)
			require.Equal(t, want, id, text)
		}
		for _, text := range c.bad {
			_, ok := ids[c.kind].parse([]byte(text))
			require.False(t, ok, text)
		}
	}
}

// TestTextCollisions counts the texts whose ids are equal, which the attribute states. One bit less
// would give twice as many.
func TestTextCollisions(t *testing.T) {
	const n = 1_000_000
	count := func(bits int) (collisions int) {
		seen := map[uint64]bool{}
		for i := range n {
			id, ok := hashed(fmt.Appendf(nil, "user-%d", i))
			require.True(t, ok)
			if id >>= 32 - bits; seen[id] {
				collisions++
			}
			seen[id] = true
		}
		return collisions
	}
	require.InDelta(t, 116, count(32), 35)
	require.Greater(t, count(31), 116+35)
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "-1": 0, "-9223372036854775808": 0, "1": 1, "4095": 4095, "4096": 4096, "4294967296": 1 << 32, "+7": 7, "9223372036854775807": math.MaxInt64,
	} {
		x, ok := numbers["integer"].parse([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, float32(math.Log(1+want)), logCount(x), text)
	}
	require.Equal(t, float32(math.Log(2.5)), logCount(1.5))
	for kind, list := range map[string][]string{
		"integer": {"", "1.5", "x", "-", "9223372036854775808", " 1", "1\x00"},
		"number":  {"", "x", "1e39", "NaN", "inf", "1,5"},
		"hour":    {"", "14102124", "2014102123", "1410212x"},
	} {
		for _, text := range list {
			_, ok := numbers[kind].parse([]byte(text))
			require.False(t, ok, text)
		}
	}
	for text, want := range map[string]float64{"1.5": 1.5, "-1e3": -1000, "10059782730617139797": 10059782730617139797} {
		x, ok := numbers["number"].parse([]byte(text))
		require.True(t, ok)
		require.Equal(t, want, x)
	}
	x, ok := numbers["hour"].parse([]byte("14102112"))
	require.True(t, ok)
	require.Equal(t, 0.5, x)
}

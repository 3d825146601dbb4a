package link

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// TestTLPsBehind: TLPs that an injector adds are sent next, one after another. They take their
// credits and are not passed to the injector.
func TestTLPsBehind(t *testing.T) {
	r := newHarness(t, func(c *rigConfig) { c.link.UpCredits.PH, c.link.UpCredits.PD = 1, 4 })
	injected, writes := 0, []*pcie.TLP{}
	starts := []des.Time{}
	r.link.Observe(func(dir Direction, at des.Time, x *pcie.TLP) {
		writes, starts = append(writes, x), append(starts, at)
	})
	r.link.Inject(func(_ Direction, _ des.Time, x *pcie.TLP) Fate {
		injected++
		if injected > 1 {
			return Fate{}
		}
		copies := []*pcie.TLP{pcie.NewWrite(r.ep.ID(), 0x2000, pattern(64, 2)), pcie.NewWrite(r.ep.ID(), 0x3000, pattern(64, 3))}
		return Fate{Behind: copies}
	})
	r.write(0x1000, pattern(64, 1), 1)
	r.write(0x4000, pattern(64, 4), 2)
	r.run()
	require.Equal(t, 2, injected)
	require.Len(t, writes, 4)
	for i, x := range writes {
		require.Equal(t, uint64(0x1000*(i+1)), x.Addr)
		got := make([]byte, 64)
		require.NoError(t, r.mem.Read(x.Addr, got))
		require.Equal(t, pattern(64, byte(i+1)), got)
	}
	require.Less(t, starts[0], starts[1])
	require.Less(t, starts[1], starts[2])
	require.Less(t, starts[2]+des.Time(200*des.Nanosecond), starts[3], "which waits for all credits")
}

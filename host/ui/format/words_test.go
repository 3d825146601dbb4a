package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -5: "-5", -123: "-123", -1234: "-1,234"} {
		require.Equal(t, want, format.Thousands(n))
	}
}

func TestPlural(t *testing.T) {
	require.Equal(t, []string{"1 GPU", "0 GPUs", "1,024 mini-batches", "2 epochs"}, []string{
		format.Plural(1, "GPU"), format.Plural(0, "GPU"), format.Plural(1024, "mini-batch"), format.Plural(2, "epoch"),
	})
}

func TestMicro(t *testing.T) {
	require.Equal(t, []string{"0.00 us", "1,234.57 us"}, []string{format.Micro(0), format.Micro(1234567 * des.Nanosecond)})
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{0: "0 B", 12.4: "12 B", 1000: "1.0 kB", 1e6: "1.0 MB", 2.5e9: "2.5 GB", 3e12: "3.0 TB", 4e15: "4.0 PB", 1e18: "more than 1,000 PB"} {
		require.Equal(t, want, format.Bytes(n))
		about := "about " + want
		if n >= 1e18 {
			about = want
		}
		require.Equal(t, about, format.About(n))
	}
}

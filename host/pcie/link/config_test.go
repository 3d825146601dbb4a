package link

import (
	"reflect"
	"testing"

	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
)

func TestConfigsAreChecked(t *testing.T) {
	k := des.NewKernel()
	mem := des.NewMemory("m", 1<<20)
	for want, build := range map[string]func() error{
		"generation is 6; expected 1 to 5": func() error {
			c := DefaultConfig()
			c.Generation = 6
			return c.Check()
		},
		"lanes is 12; expected a power of two from 1 to 16": func() error {
			c := DefaultConfig()
			c.Lanes = 12
			return c.Check()
		},
		"latency_down_ps is -1; expected at least 0": func() error {
			c := DefaultConfig()
			c.LatencyDown = -1
			return c.Check()
		},
		"tlp_share is 1.1; expected above 0 and at most 1": func() error {
			c := DefaultConfig()
			c.TLPShare = 1.1
			return c.Check()
		},
		"up credits: PH = 128, expected 0 (infinite) to 127": func() error {
			c := DefaultConfig()
			c.UpCredits.PH = 128
			_, _, err := Connect(k, c, nil, nil)
			return err
		},
		"down credits: CPLD = -1": func() error {
			c := DefaultConfig()
			c.DownCredits.CPLD = -1
			return c.Check()
		},
		"max_payload is 200; expected a power of two from 128 to 4096": func() error {
			c := DefaultEndpointConfig()
			c.Straps.MPS = 200
			_, err := NewEndpoint(k, c, nil)
			return err
		},
		"max_read_request is 8192; expected a power of two from 128 to 4096": func() error {
			c := DefaultStraps()
			c.MRRS = 8192
			return c.Check()
		},
		"read_completion_boundary is 32; expected a power of two from 64 to 128": func() error {
			c := DefaultStraps()
			c.RCB = 32
			return c.Check()
		},
		"BAR 0xfe001000+0x10000": func() error {
			c := DefaultEndpointConfig()
			c.BAR.Base = 0xfe001000
			return c.Check()
		},
		"MSI-X at 0x10000": func() error {
			c := DefaultEndpointConfig()
			c.MSIXOffset = 0x10000
			return c.Check()
		},
		"completion timeout 0s": func() error {
			c := DefaultEndpointConfig()
			c.CompletionTimeout = 0
			return c.Check()
		},
		"expected a latency of 0 or more and a timeout above 0": func() error {
			c := DefaultRootConfig()
			c.CompletionTimeout = 0
			_, err := NewRootComplex(k, c, mem)
			return err
		},
		`completion policy "best", expected max, rcb or random`: func() error {
			c := DefaultRootConfig()
			c.Memory.Policy = "best"
			_, err := NewRootComplex(k, c, mem)
			return err
		},
		"memory latency -1ps": func() error {
			c := DefaultGPUConfig(0)
			c.Memory.Latency = -1
			_, err := NewGPU(k, c, mem)
			return err
		},
		"memory bandwidth 0": func() error {
			c := DefaultGPUConfig(0).Memory
			c.GBPerSecond = 0
			return c.Check()
		},
		"memory granule 0": func() error {
			c := DefaultGPUConfig(0).Memory
			c.Granule = 0
			return c.Check()
		},
		"max payload 0": func() error {
			c := DefaultGPUConfig(0).Memory
			c.MPS = 0
			return c.Check()
		},
	} {
		require.ErrorContains(t, build(), want)
	}
	require.NoError(t, DefaultConfig().Check())
	require.NoError(t, DefaultEndpointConfig().Check())
	require.NoError(t, DefaultRootConfig().Memory.Check())
}

func TestTagsChangeWhenNoneIsInUse(t *testing.T) {
	r := newHarness(t, nil)
	r.read(0x1000, 64, 1)
	s := DefaultStraps()
	s.ExtendedTags = false
	require.NoError(t, r.ep.SetStraps(s))
	r.read(0x2000, 64, 2) // waits for the first
	require.Equal(t, 1, r.ep.TagsInUse())
	bad := s
	bad.MPS = 1
	require.ErrorContains(t, r.ep.SetStraps(bad), "max_payload is 1;")
	r.run()
	require.Equal(t, OK, r.core.ended[2])
	require.Equal(t, s, r.ep.Straps())
	require.Equal(t, 32, s.Tags())
	for id := range uint32(64) {
		r.read(uint64(id)*64, 64, 100+id)
	}
	require.Equal(t, 32, r.ep.TagsInUse())
	reads, tlps := r.ep.Backlog()
	require.Equal(t, []int{32, 31}, []int{reads, tlps}, "one read is on the link")
	require.Contains(t, r.ep.state(), "32 reads outstanding, 32 read descriptors wait for tags")
	r.run()
}

// TestConfigFieldsHaveOptionalHCLNames: all scalar settings can be set in a file and can be
// omitted.
func TestConfigFieldsHaveOptionalHCLNames(t *testing.T) {
	for _, c := range []any{Config{}, Straps{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c)) {
			if f.Type.Kind() != reflect.Struct {
				require.Regexp(t, "^[a-z][a-z_]*,optional$", f.Tag.Get("hcl"), f.Name)
			}
		}
	}
}

func TestConfigReadsFromHCLOverItsDefaults(t *testing.T) {
	f, diags := hclparse.NewParser().ParseHCL([]byte("generation = 4\nlatency_up_ps = 5000\n"), "link.hcl")
	require.False(t, diags.HasErrors(), diags.Error())
	c := DefaultConfig()
	require.False(t, gohcl.DecodeBody(f.Body, nil, &c).HasErrors())
	want := DefaultConfig()
	want.Generation, want.LatencyUp = 4, 5*des.Nanosecond
	require.Equal(t, want, c)
}

func TestFifo(t *testing.T) {
	var f des.FIFO[int]
	next, want := 0, 0
	for round := range 50 {
		for range round % 13 {
			f.Push(next)
			next++
		}
		for f.Len() > round%5 {
			require.Equal(t, want, *f.Peek())
			require.Equal(t, want, f.Pop())
			want++
		}
		require.Equal(t, next-want, f.Len())
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, "down up", Down.String()+" "+Up.String())
	for e, want := range map[Error]string{
		OK: "ok", Timeout: "completion timeout", Parity: "parity error", FLR: "function-level reset",
		Poisoned: "poisoned", UnsupportedRequest: "unsupported request", CompleterAbort: "completer abort", 5: "error 5",
	} {
		require.Equal(t, want, e.String())
	}
}

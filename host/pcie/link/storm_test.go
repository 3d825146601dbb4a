package link

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// scripts/fuzz uses larger values.
var (
	stormTLPs = flag.Int("tlps", 20_000, "random TLPs of TestRandomTLPs")
	stormSeed = flag.Uint64("seed", 1, "their seed")
)

// storm sends random valid and invalid TLPs from every port of a fabric, during reads and writes of
// an endpoint and of the CPU. Some TLPs are lost.
type storm struct {
	rng   *rand.Rand
	r     *harness
	links []*Link
	spots []uint64 // addresses of interest
	ids   []pcie.ID

	control uint64 // Device Control of the endpoint, with its reset
	endless bool   // the completion timeout was disabled

	sent, mutated, truncated, refused int
}

// TestRandomTLPs: the decoder rejects a random TLP or the fabric accepts it. Afterwards, all events
// end, and no read holds a tag.
func TestRandomTLPs(t *testing.T) {
	s := &storm{rng: rand.New(rand.NewPCG(*stormSeed, 0))}
	const episode = 200
	for done := 0; done < *stormTLPs; done += episode {
		s.rise(t)
		for range episode {
			s.tlp(t)
			if s.rng.IntN(4) == 0 {
				s.work()
			}
			s.endless = s.endless || s.r.ep.reads.timeout == 0
			require.NoError(t, s.r.k.RunTo(s.r.k.Now()+des.Time(s.rng.IntN(200))*des.Nanosecond))
		}
		s.rest(t)
		if n := done + episode; n%100_000 == 0 {
			fmt.Printf("%d TLPs: %d sent as they were made, %d damaged and sent, %d damaged and refused, %d cut and refused\n", n, s.sent, s.mutated, s.refused, s.truncated)
		}
	}
	for _, n := range []int{s.sent, s.mutated, s.truncated, s.refused} {
		require.Positive(t, n, "some of each")
	}
}

// rise builds a fabric: an endpoint below the root complex, and a GPU below a switch.
func (s *storm) rise(t *testing.T) {
	s.r = newHarness(t, func(c *rigConfig) {
		c.ep.Straps.ExtendedTags = s.rng.IntN(2) == 0
		c.ep.CompletionTimeout = 50 * des.Microsecond
		c.root.CompletionTimeout = 50 * des.Microsecond
		c.root.Memory.Policy = []string{"max", "rcb", "random"}[s.rng.IntN(3)]
	})
	sw := NewSwitch(s.r.k, pcie.NewID(2, 0, 0), SwitchLatency)
	up, err := s.r.rc.Attach(DefaultConfig(), sw)
	require.NoError(t, err)
	g, down := addGPU(t, s.r.k, 0, sw, nil)
	s.links = []*Link{s.r.link, up, down}
	for _, l := range s.links {
		l.Inject(func(Direction, des.Time, *pcie.TLP) Fate { return Fate{Drop: s.rng.IntN(50) == 0} })
	}
	bar := s.r.ep.BAR()
	s.spots = []uint64{bar.Base, bar.Base + s.r.ep.cfg.MSIXOffset, bar.Base + bar.Size, g.Base(), 0x1000, s.r.rc.cfg.Interrupts.Base, nowhere}
	s.endless = false
	s.control = uint64(capability(s.r.ep.space.DW, config.ExpressID) + config.DeviceControl)
	s.ids = []pcie.ID{s.r.ep.ID(), s.r.rc.ID(), g.ID(), pcie.NewID(2, 0, 0), 0xffff}
}

// tlp sends a random TLP, unmodified, damaged or truncated.
func (s *storm) tlp(t *testing.T) {
	b, err := s.make().AppendTo(nil)
	require.NoError(t, err)
	switch s.rng.IntN(3) {
	case 0:
		for range 1 + s.rng.IntN(4) {
			b[s.rng.IntN(min(len(b), 20))] ^= 1 << s.rng.IntN(8)
		}
		if s.rng.IntN(16) == 0 {
			b = append(b, 0, 0, 0, 0)
		}
		x, err := pcie.Decode(b)
		if err != nil {
			s.refused++
			return
		}
		again, err := x.AppendTo(nil)
		require.NoError(t, err)
		require.Equal(t, b, again)
		s.mutated++
		s.send(&x)
	case 1:
		_, err := pcie.Decode(b[:s.rng.IntN(len(b))])
		require.Error(t, err)
		s.truncated++
	default:
		x, err := pcie.Decode(b)
		require.NoError(t, err)
		s.sent++
		s.send(&x)
	}
}

func (s *storm) send(x *pcie.TLP) {
	_ = x.Check(256, 512)
	_ = x.String()
	l := s.links[s.rng.IntN(len(s.links))]
	l.ports[s.rng.IntN(2)].Send(x, nil)
}

// work starts requests of the endpoint and the CPU, so that random completions may match.
func (s *storm) work() {
	at, n := s.spots[s.rng.IntN(len(s.spots))]+uint64(s.rng.IntN(4096)), 1+s.rng.IntN(600)
	_ = s.r.ep.ReadRequest(at, n, s.rng.Uint32())
	_ = s.r.ep.WriteRequest(at, make([]byte, n), s.rng.Uint32())
	_ = s.r.rc.ReadAsync(at, n, func([]byte, error) {})
}

// rest runs until all events have ended, with a limit.
func (s *storm) rest(t *testing.T) {
	k := s.r.k
	most := k.Executed() + 1_000_000
	k.StopOn(func() error {
		if k.Executed() > most {
			return errors.New("it goes on for ever")
		}
		return nil
	})
	require.NoError(t, k.Run(nil))
	if !s.endless {
		require.Zero(t, s.r.ep.TagsInUse())
	}
}

// make returns a random TLP whose addresses, functions and tags are often valid.
func (s *storm) make() *pcie.TLP {
	rng := s.rng
	id := func() pcie.ID { return s.ids[rng.IntN(len(s.ids))] }
	x := &pcie.TLP{
		Kind: pcie.Kind(rng.IntN(int(pcie.CfgWr1) + 1)), TC: uint8(rng.IntN(8) & rng.IntN(8) & rng.IntN(8)), Attr: pcie.Attr(rng.IntN(8)),
		EP: rng.IntN(16) == 0, Requester: id(), Completer: id(), Tag: uint16(rng.IntN(1 << rng.IntN(11))), Length: 1,
	}
	switch {
	case x.Kind == pcie.Cpl || x.Kind == pcie.Msg:
		x.Length = 0
	case !x.Kind.IsConfig():
		x.Length += rng.IntN(1 << rng.IntN(9))
	}
	if x.Kind.HasData() {
		x.Data = make([]byte, 4*x.Length)
		for i := range x.Data {
			x.Data[i] = byte(rng.Uint32())
		}
	}
	switch x.Kind {
	case pcie.MRd, pcie.MWr:
		x.Addr = s.spots[rng.IntN(len(s.spots))] + uint64(4*rng.IntN(1<<rng.IntN(12)))
		if x.FirstBE = 0xf; x.Length > 1 {
			x.LastBE = 0xf
		}
		if rng.IntN(4) == 0 {
			x.FirstBE, x.LastBE = uint8(rng.IntN(16)), uint8(rng.IntN(16))
		}
	case pcie.Cpl, pcie.CplD:
		x.Status, x.ByteCount, x.LowerAddr = pcie.Status(rng.IntN(8)*rng.IntN(2)), 1+rng.IntN(1<<rng.IntN(13)), uint8(4*rng.IntN(32))
	case pcie.Msg, pcie.MsgD:
		x.Route, x.Code, x.Addr = uint8(rng.IntN(8)), uint8(rng.Uint32()), rng.Uint64()
	default:
		x.TC, x.Attr = 0, 0
		x.Addr, x.FirstBE = uint64(4*rng.IntN(1<<rng.IntN(11))), uint8(rng.IntN(16))
		if rng.IntN(4) == 0 {
			x.Addr = []uint64{config.Command, config.BAR0, s.control}[rng.IntN(3)]
		}
	}
	if rng.IntN(8) == 0 {
		x.TD, x.Digest = true, x.ECRC()
	}
	return x
}

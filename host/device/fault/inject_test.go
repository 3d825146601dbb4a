package fault_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// machine returns a server with the functional model of the accelerator.
func machine(t *testing.T) (*server.Server, *link.Endpoint, *server.Device) {
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	card, err := functional.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(card)
	require.NoError(t, err)
	return s, card.Endpoint(), dev
}

// fences runs n fence commands sequentially under a plan.
func fences(t *testing.T, n int, p *fault.Plan) (*driver.Driver, *fault.Injection) {
	s, ep, dev := machine(t)
	x := fault.Inject(s, ep, p)
	return fencesOn(t, n, dev, x), x
}

// fencesOn runs n fence commands sequentially on a device.
func fencesOn(t *testing.T, n int, dev *server.Device, x *fault.Injection) *driver.Driver {
	drv, err := driver.Open(dev, driver.DefaultOptions())
	require.NoError(t, err)
	drv.OnRecovery(x.Recovered)
	for range n {
		_, err := drv.Do(driver.Fence())
		require.NoError(t, err)
	}
	return drv
}

func plan(rules ...fault.Rule) *fault.Plan { return &fault.Plan{Seed: 1, Rules: rules} }

// TestWhenFaultsHappen checks Nth, Times and the precedence of the first rule.
func TestWhenFaultsHappen(t *testing.T) {
	_, x := fences(t, 12, plan(
		fault.Rule{Kind: fault.Drop, Place: fault.Interrupt, Nth: 3, Probability: 1, Times: 2},
		fault.Rule{Kind: fault.Duplicate, Place: fault.Interrupt, Nth: 4, Probability: 1, Times: 2},
	))
	var got []fault.Event
	for _, e := range x.Log() {
		require.Positive(t, e.At)
		require.Contains(t, e.TLP, "MWr")
		e.At, e.TLP = 0, ""
		got = append(got, e)
	}
	require.Equal(t, []fault.Event{
		{Kind: fault.Drop, Place: fault.Interrupt, N: 3, Outcome: "found by polling"},
		{Kind: fault.Drop, Place: fault.Interrupt, N: 4, Outcome: "found by polling"},
		{Kind: fault.Duplicate, Place: fault.Interrupt, N: 5, Outcome: fault.Harmless},
		{Kind: fault.Duplicate, Place: fault.Interrupt, N: 6, Outcome: fault.Harmless},
	}, got)
	require.Equal(t, []string{"2 drop at interrupt: found by polling", "2 duplicate at interrupt: harmless"}, fault.Summary(x.Log()))
}

// TestFaultsAfterATime: the fault affects the first TLP at or after the time After.
func TestFaultsAfterATime(t *testing.T) {
	_, calm := fences(t, 12, plan(fault.Rule{Kind: fault.Duplicate, Place: fault.Interrupt, Nth: 1, Probability: 1}))
	sixth := calm.Log()[5]
	_, x := fences(t, 12, plan(fault.Rule{Kind: fault.Duplicate, Place: fault.Interrupt, Nth: 1, Probability: 1, Times: 1, After: sixth.At}))
	require.Equal(t, []fault.Event{sixth}, x.Log())
}

// TestRandomFaultsAreRepeatable: the faults are equal for equal seeds and differ for different
// seeds.
func TestRandomFaultsAreRepeatable(t *testing.T) {
	by := func(seed uint64) []fault.Event {
		p := plan(fault.Rule{Kind: fault.Duplicate, Place: fault.Completion, Nth: 1, Probability: 0.3})
		p.Seed = seed
		_, x := fences(t, 60, p)
		return x.Log()
	}
	require.Equal(t, by(1), by(1))
	require.NotEqual(t, by(1), by(2))
	require.InDelta(t, 18, len(by(1)), 12)
}

// TestSequenceOfRecoveries: an outcome lists all recovery actions until the next fault.
func TestSequenceOfRecoveries(t *testing.T) {
	drv, x := fences(t, 6, plan(
		fault.Rule{Kind: fault.Corrupt, Place: fault.Completion, Nth: 2, Probability: 1, Times: 1},
		fault.Rule{Kind: fault.UR, Place: fault.Command, Nth: 5, Probability: 1, Times: 1},
	))
	require.Equal(t, "completion given up, command repeated", x.Log()[0].Outcome)
	require.Equal(t, "command repeated", x.Log()[1].Outcome)
	require.Equal(t, driver.Survived{Repeated: 2, LostCompletions: 1}, drv.Survived())
}

// TestReadOfSeveralCompletions: a read that times out or fails gets no further completion, even if
// its data would need several.
func TestReadOfSeveralCompletions(t *testing.T) {
	const row = 512
	for _, place := range []fault.Place{fault.DMARead, fault.GPURead} {
		for kind, status := range map[fault.Kind]link.Error{fault.Timeout: link.Timeout, fault.UR: link.UnsupportedRequest, fault.CA: link.CompleterAbort} {
			s, ep, dev := machine(t)
			x := fault.Inject(s, ep, plan(fault.Rule{Kind: kind, Place: place, Nth: 2, Probability: 1, Times: 1}))
			drv, err := driver.Open(dev, driver.DefaultOptions())
			require.NoError(t, err)
			do := func(c arch.Command) error {
				_, err := drv.Do(c)
				return err
			}
			require.NoError(t, do(driver.SWrite(arch.RegRowLog2, 9)))
			hot := s.GPUs[0].Memory.Alloc("hot table", row)
			require.NoError(t, do(driver.SWrite(arch.RegHot, hot.Address())))
			read := driver.GPURead(0, 0)
			if place == fault.DMARead {
				read = driver.DMARead(s.Host.Alloc("row", row).Address(), row)
			}
			completions := 0
			s.Slot().Observe(func(dir link.Direction, _ des.Time, p *pcie.TLP) {
				if dir == link.Down && p.Kind == pcie.CplD && p.Requester == ep.ID() {
					completions++
				}
			})
			require.NoError(t, do(read))
			require.NoError(t, do(driver.VAdd(true)))
			require.Greater(t, completions, 3, "two are the commands', at %s", place)

			require.NoError(t, do(read))
			err = do(driver.VAdd(true))
			require.Equal(t, &driver.StatusError{Command: driver.VAdd(true), Status: arch.Status(status)}, err, "%s at %s", kind, place)
			require.Len(t, x.Log(), 1)
			require.Zero(t, ep.Counters().Unexpected, "%s at %s", kind, place)
		}
	}
}

// TestCloseAmidFaults injects every fault at every place while commands are in flight and the
// driver closes. Each command has one outcome. Afterwards the accelerator is silent.
func TestCloseAmidFaults(t *testing.T) {
	const row = 64
	for _, place := range fault.Places() {
		for _, kind := range place.Kinds() {
			s, ep, dev := machine(t)
			x := fault.Inject(s, ep, plan(fault.Rule{Kind: kind, Place: place, Nth: 5, Probability: 1, Times: 1}))
			drv, err := driver.Open(dev, driver.DefaultOptions())
			require.NoError(t, err)
			host, gpu := s.Host.Alloc("row", row).Address(), s.GPUs[0].Memory.Alloc("row", row).Address()
			outcomes := 0
			submit := func(list ...arch.Command) {
				for _, c := range list {
					require.NoError(t, drv.Submit(c, func(driver.Completion, error) { outcomes++ }))
				}
			}
			submit(driver.SWrite(arch.RegRowLog2, 6), driver.SWrite(arch.RegHot, gpu))
			require.NoError(t, drv.Drain())
			for range 8 {
				submit(driver.DMARead(host, row), driver.VAdd(true), driver.DMAWrite(gpu, row), driver.GPURead(0, 0), driver.VAdd(true), driver.DMAWrite(host, row))
				require.NoError(t, drv.Ring())
			}
			require.NoError(t, drv.Close(), "%s at %s", kind, place)
			require.Equal(t, 2+8*6, outcomes, "%s at %s", kind, place)
			if place != fault.Interrupt && place != fault.Doorbell {
				require.Len(t, x.Log(), 1, "%s at %s", kind, place)
			}
			sent := s.Slot().Stats(link.Up)
			require.NoError(t, s.Kernel.RunTo(s.Kernel.Now()+3*s.Config.Endpoint.CompletionTimeout))
			require.Equal(t, sent, s.Slot().Stats(link.Up), "%s at %s", kind, place)
			require.Zero(t, ep.TagsInUse(), "%s at %s", kind, place)
		}
	}
}

// TestBitErrorRate: the number of wrong bits matches the rate, and is equal for equal seeds.
func TestBitErrorRate(t *testing.T) {
	const rate = 3e-4
	by := func(seed uint64) ([]fault.Event, float64) {
		p := plan(
			fault.Rule{Kind: fault.BitError, Place: fault.WireUp, Nth: 1, Probability: rate},
			fault.Rule{Kind: fault.BitError, Place: fault.WireDown, Nth: 1, Probability: rate},
		)
		p.Seed = seed
		drv, x := fences(t, 400, p)
		require.Zero(t, drv.Survived(), "the driver does not notice")
		packets := map[fault.Place]int{}
		for _, e := range x.Log() {
			require.Equal(t, fault.Corrected, e.Outcome)
			packets[e.Place] = e.N
		}
		return x.Log(), float64(packets[fault.WireUp] + packets[fault.WireDown])
	}
	log, packets := by(1)
	again, _ := by(1)
	other, _ := by(2)
	require.Equal(t, log, again)
	require.NotEqual(t, log, other)
	// A fence consists of six TLPs of 232 bytes in total, and one ACK of 8 bytes per one or two
	// TLPs.
	require.InDelta(t, rate*8*25, float64(len(log))/packets, rate*8*5)
}

// TestWireRules: a rule counts only packets of its type, and respects Nth and Times.
func TestWireRules(t *testing.T) {
	s, ep, dev := machine(t)
	x := fault.Inject(s, ep, plan(
		fault.Rule{Kind: fault.LostTLP, Place: fault.WireUp, Nth: 7, Probability: 1, Times: 2},
		fault.Rule{Kind: fault.LostACK, Place: fault.WireDown, Nth: 30, Probability: 1, Times: 1},
		fault.Rule{Kind: fault.RepeatedTLP, Place: fault.WireDown, Nth: 1, Probability: 1, Times: 1},
	))
	fencesOn(t, 12, dev, x)
	n := map[fault.Kind][]int{}
	for _, e := range x.Log() {
		n[e.Kind] = append(n[e.Kind], e.N)
		require.Equal(t, e.Kind == fault.LostACK, e.TLP == "ACK", "%v", e)
	}
	require.Equal(t, map[fault.Kind][]int{fault.LostTLP: {7, 8}, fault.LostACK: {30}, fault.RepeatedTLP: {1}}, n)
	m := fault.CountMessages(s.Root)
	require.Positive(t, m.Correctable, "the host hears of it")
	require.Equal(t, fault.Messages{Correctable: m.Correctable}, m)
}

// TestFaultsUnderECRC: on a machine whose TLPs have ECRCs, each fault keeps its effect. Only kind
// ECRC makes an ECRC wrong.
func TestFaultsUnderECRC(t *testing.T) {
	for _, kind := range fault.Command.Kinds() {
		var reported [2]uint32
		for i, ecrc := range []bool{false, true} {
			cfg := server.DefaultConfig()
			cfg.Endpoint.Straps.ECRC = ecrc
			s, err := server.New(cfg)
			require.NoError(t, err)
			card, err := functional.New(s.Kernel, arch.Small(), cfg.Period, cfg.Endpoint)
			require.NoError(t, err)
			dev, err := s.Insert(card)
			require.NoError(t, err)
			x := fault.Inject(s, card.Endpoint(), plan(fault.Rule{Kind: kind, Place: fault.Command, Nth: 1, Probability: 1, Times: 1}))
			drv, err := driver.Open(dev, driver.DefaultOptions())
			require.NoError(t, err)
			if _, err = drv.Do(driver.Fence()); err != nil {
				require.ErrorIs(t, err, driver.ErrReset, kind)
			}
			require.Len(t, x.Log(), 1)
			if s.Slot().Up() {
				reported[i], err = s.Root.ConfigRead(card.Endpoint().ID(), 0x100+config.UncorrectableStatus)
				require.NoError(t, err)
			}
			require.Equal(t, kind == fault.ECRC, s.Slot().Stats(link.Down).BadDigests > 0, "%s with digests %v", kind, ecrc)
		}
		require.Equal(t, reported[0], reported[1], kind)
	}
}

// TestRegisterReads: a faulty register read is an error of the driver's call, except for faults that
// change nothing. The driver works again afterwards. docs/reference/reliability.md lists the outcomes.
func TestRegisterReads(t *testing.T) {
	outcomes, order := map[string][]string{}, []string{}
	for _, kind := range fault.Register.Kinds() {
		s, ep, dev := machine(t)
		x := fault.New(plan())
		x.Attach(fault.Target{Kernel: s.Kernel, Link: s.Slot(), Endpoint: ep, Timeout: s.Config.Endpoint.CompletionTimeout, FLR: ep.FLR})
		drv, err := driver.Open(dev, driver.DefaultOptions())
		require.NoError(t, err)
		x.Add([]fault.Rule{{Kind: kind, Place: fault.Register, Nth: 3, Probability: 1, Times: 1}})
		_, err = drv.Counters()
		require.Len(t, x.Log(), 1)
		outcome := fault.Harmless
		if err != nil {
			outcome = "error of the call: " + err.Error()[strings.LastIndex(err.Error(), ": ")+2:]
		}
		if outcomes[outcome] == nil {
			order = append(order, outcome)
		}
		outcomes[outcome] = append(outcomes[outcome], fmt.Sprintf("`%s`", kind))
		if _, err := drv.Do(driver.Fence()); err != nil {
			require.ErrorIs(t, err, driver.ErrReset, kind)
		}
		_, err = drv.Counters()
		require.NoError(t, err, kind)
	}
	var table strings.Builder
	for _, outcome := range order {
		fmt.Fprintf(&table, "| `register` | %s | %s |\n", strings.Join(outcomes[outcome], ", "), outcome)
	}
	page, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "\n"+table.String()+"\n", "the table is\n%s", table.String())
}

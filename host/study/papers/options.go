package papers

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// cdlrmRun trains cDLRM, either our version or the released program.
func cdlrmRun(released bool) func(c Case) (string, constructor) {
	return func(c Case) (string, constructor) {
		o := cdlrm.Options{Window: c.Window, Sets: c.Sets, Ways: 16, Lambda: 1, Released: released}
		return fmt.Sprintf("cdlrm %+v", o), func(s *server.Server, from *train.State) (train.System, error) { return cdlrm.New(s, from, o) }
	}
}

// hotlineRun trains Hotline with the functional model of the accelerator.
func hotlineRun(c Case) (string, constructor) {
	return "hotline", func(s *server.Server, from *train.State) (train.System, error) {
		card, err := functional.New(s.Kernel, arch.Paper(), s.Config.Period, s.Config.Endpoint)
		if err != nil {
			return nil, err
		}
		dev, err := s.Insert(card)
		if err != nil {
			return nil, err
		}
		o := hotline.DefaultOptions()
		o.Relearn = c.Relearn
		return hotline.New(s, dev, from, o)
	}
}

// faeRun trains FAE, after its static phase.
func faeRun(Case) (string, constructor) {
	return "fae", func(s *server.Server, from *train.State) (train.System, error) {
		return fae.New(s, from, fae.DefaultOptions(), Seed)
	}
}

func hybridRun(Case) (string, constructor) {
	return "hybrid", func(s *server.Server, from *train.State) (train.System, error) { return hybrid.New(s, from), nil }
}

// elrecRun trains EL-Rec with changed options.
func elrecRun(change func(*elrec.Options, Case)) func(c Case) (string, constructor) {
	return func(c Case) (string, constructor) {
		o := elrec.DefaultOptions()
		if change != nil {
			change(&o, c)
		}
		return fmt.Sprintf("elrec %+v", o), func(s *server.Server, from *train.State) (train.System, error) { return elrec.New(s, from, o) }
	}
}

func ttrecRun(Case) (string, constructor) {
	return "tt-rec", func(s *server.Server, from *train.State) (train.System, error) {
		return elrec.NewTTRec(s, from, elrec.DefaultOptions())
	}
}

func rank64(o *elrec.Options, _ Case)       { o.Rank = 64 }
func unordered(o *elrec.Options, _ Case)    { o.Groups = 0 }
func uncompressed(o *elrec.Options, _ Case) { o.Threshold = math.MaxInt32 }

// queues keeps the largest table in tensor-train form and the others in host memory.
func queues(length int) func(o *elrec.Options, c Case) {
	return func(o *elrec.Options, c Case) {
		m, _ := c.config()
		o.Host, o.Queue, o.Threshold = true, length, -1
		for _, t := range m.Tables {
			o.Threshold = max(o.Threshold, t.Rows-1)
		}
	}
}

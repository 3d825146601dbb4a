package papers

import (
	"context"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// clicks are those of a study.
type clicks struct {
	name string
	open func() (data.Source, error)
}

// like are clicks that are generated like those of a log.
func like(log string) clicks {
	return clicks{log, func() (data.Source, error) { s, _, err := clicksOf(log); return s, err }}
}

// RealClicks end the names of studies of the user's own log.
const RealClicks = ", real clicks"

// studied is how many lookups an EAL learns in studies.
const studied = 2_600_000

// On which model the studies are made.
const (
	sweepsOf = "The lookup engines and the EAL at the scale of the paper, in the functional model, whose sweeps take as many cycles as the cycle model's. "
	warm     = "A mini-batch behind another one, which has filled the caches. "
)

// studies are of the accelerator's sizes, where the paper has pictures: on generated clicks, and on
// a log if one is given.
func (h hotline) studies() []experiment {
	list := []experiment{h.figure16InHardware(), h.figure25Measured(), batchSizes("", like("kaggle"), 256, 1024, 4096, 16384), caches("", like("kaggle"), perSweep)}
	list = append(list, lengthy(
		heldRows("", trackedBlocks, studied, like("kaggle"), like("avazu"), like("taobao")),
		sizesOfEAL("", smaller, studied/2, 10_000, smallerClicks("kaggle"), smallerClicks("avazu"), smallerClicks("taobao")))...)
	if h.real == nil {
		return list
	}
	real := clicks{"real", func() (data.Source, error) { return h.real, nil }}
	return append(list, batchSizes(RealClicks, real, 256, 1024, 3600), caches(RealClicks, real, 3600),
		heldRows(RealClicks, 4096, 7200*26, real), sizesOfEAL(RealClicks, 512, 5400*26, 1800, real))
}

// figure16InHardware is lookups a cycle by entries of the queues and by banks, beside the closed form.
func (h hotline) figure16InHardware() experiment {
	const inputs, tables = 16384, 26
	banks := []int{16, 32, 64}
	s := Study{
		Name: "Hotline Figure 16, queues in hardware", Title: "lookups a cycle by entries of the request queues and by banks", item: "figure-16", Unit: "lookups a cycle", Over: "entries",
		Depends: sweepsOf + "Uniform keys, 16,384 inputs of 26 lookups. In the paper any entry may wait for any bank: there a bank serves in a share x of the cycles where " +
			"x + x²/2(1-x) entries wait for it, the columns on the right. In hardware entries are divided among the banks, and for each bank among the even and the odd engines.",
	}
	for _, n := range banks {
		s.Columns = append(s.Columns, fmt.Sprintf("%d banks", n))
	}
	for _, n := range banks {
		s.Columns = append(s.Columns, fmt.Sprintf("%d, any entry", n))
	}
	return s.by(func(_ context.Context, _ *clock, s *Study) error {
		for _, entries := range []int{256, 512, 2048, 8192} {
			var rates, forms []float64
			for _, n := range banks {
				p, w := arch.Paper(), uniform(tables)
				p.Banks, p.QueueDepth = n, entries/n/eal.EngineGroups
				list, err := w.next(inputs)
				if err != nil {
					return err
				}
				rates = append(rates, functional.NewLookups(p, true).Sweep(list, w.bases, nil).Rate())
				forms = append(forms, float64(n)*serving(float64(entries)/float64(n)))
			}
			s.row(entries, append(rates, forms...)...)
		}
		return nil
	})
}

// serving is the closed form: the share of the cycles in which a bank serves if so many entries wait
// for it.
func serving(waiting float64) float64 {
	low, high := 0., 1.
	for range 60 {
		if x := (low + high) / 2; x+x*x/(2*(1-x)) < waiting {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// batchSizes is lookups a cycle by inputs of a mini-batch (Figure 26).
func batchSizes(suffix string, of clicks, inputs ...int) experiment {
	s := Study{
		Name: "Hotline Figure 26, the accelerator" + suffix, Title: "lookups a cycle by inputs of a mini-batch", item: "figure-26", Unit: "lookups a cycle", Over: "inputs",
		Columns: []string{of.name, "uniform keys"},
		Depends: sweepsOf + warm + "A sweep fills and drains once, and the busiest bank of few lookups has more than its share.",
	}
	return s.by(func(_ context.Context, _ *clock, s *Study) error {
		source, err := of.open()
		if err != nil {
			return err
		}
		for _, n := range inputs {
			w, err := wordsOf(source, 0)
			if err != nil {
				return err
			}
			rate, err := w.rate(arch.Paper(), true, n)
			if err != nil {
				return err
			}
			even, err := uniform(len(w.bases)).rate(arch.Paper(), true, n)
			if err != nil {
				return err
			}
			s.row(n, rate, even)
		}
		return nil
	})
}

// caches is lookups a cycle by entries of the answer caches. Without caches, as in the paper, the
// banks of the hottest rows hold up all others.
func caches(suffix string, of clicks, inputs int) experiment {
	s := Study{
		Name: "Answer caches" + suffix, Title: "lookups a cycle by answers that each lookup engine keeps", item: "figure-16", Unit: "lookups a cycle", Over: "answers",
		Columns: []string{of.name, "uniform keys"},
		Depends: sweepsOf + warm + fmt.Sprintf("Mini-batches of %d inputs. The paper has no caches: 0, where the banks of the rows that are read most hold up all others. "+
			"Hardware has at least 4 answers; that none answers anything is an option of the functional model only. configs/paper.hcl has 128.", inputs),
	}
	return s.by(func(_ context.Context, _ *clock, s *Study) error {
		source, err := of.open()
		if err != nil {
			return err
		}
		for _, entries := range []int{0, 8, 32, 64, 128, 512} {
			p := arch.Paper()
			p.Cache = max(entries, 4)
			w, err := wordsOf(source, 0)
			if err != nil {
				return err
			}
			rate, err := w.rate(p, entries > 0, inputs)
			if err != nil {
				return err
			}
			even, err := uniform(len(w.bases)).rate(p, entries > 0, inputs)
			if err != nil {
				return err
			}
			s.row(entries, rate, even)
		}
		return nil
	})
}

// heldRows is how many of the rows that are read most the EAL holds in the end (Figure 15).
func heldRows(suffix string, blocks, lookups int, logs ...clicks) experiment {
	s := Study{
		Name: "Hotline Figure 15, the accelerator" + suffix, Title: "rows read most that the EAL holds, by how many are asked for", item: "figure-15", Unit: "%", Over: "of the blocks",
		Depends: fmt.Sprintf("The oracle knows how often each row was read, and has 100 %%; of rows that are read as often it takes the first ones. An EAL of %d blocks in 8 ways, %d lookups in mini-batches of %d inputs, learned by the functional model as by "+
			"the hardware, which leaves out lookups that change nothing; in the last column each lookup of %s has its turn.", blocks, lookups, perSweep, logs[0].name),
	}
	for _, l := range logs {
		s.Columns = append(s.Columns, l.name)
	}
	s.Columns = append(s.Columns, "each lookup in turn")
	return s.by(func(_ context.Context, _ *clock, s *Study) error {
		var held []func(n int) float64
		for i := range s.Columns {
			source, err := logs[i%len(logs)].open()
			if err != nil {
				return err
			}
			x, err := learn(source, withBlocks(blocks), lookups/source.Shape().Lookups(), i < len(logs))
			if err != nil {
				return err
			}
			most := x.most(blocks)
			held = append(held, func(n int) float64 { return x.share(most[:min(n, len(most))]) })
		}
		for _, part := range []int{20, 10, 8, 4, 2, 1} {
			var values []float64
			for _, f := range held {
				values = append(values, f(blocks/part))
			}
			s.row(fmt.Sprintf("1/%d", part), values...)
		}
		return nil
	})
}

// share is the percentage of rows that the EAL holds.
func (x learned) share(ids []uint32) float64 {
	n := 0
	for _, id := range ids {
		if x.holds(id) {
			n++
		}
	}
	return 100 * float64(n) / float64(len(ids))
}

// sizesOfEAL is how many later inputs are popular, with the EAL and with an oracle, by the size of
// the EAL (Figure 27).
func sizesOfEAL(suffix string, smaller, lookups, later int, logs ...clicks) experiment {
	s := Study{
		Name: "Hotline Figure 27, popular inputs" + suffix, Title: "popular inputs by the size of the EAL", item: "figure-27", Unit: "%", Over: "MB",
		Depends: fmt.Sprintf("EALs have %d times fewer blocks than the size says, 2 bytes each; tables are smaller than the log's by as much, if clicks are generated. %d lookups are learned, "+
			"as by the hardware, and the next %d inputs are classified. An oracle keeps as many of the rows that were read most.", smaller, lookups, later),
	}
	for _, l := range logs {
		s.Columns = append(s.Columns, l.name, l.name+", oracle")
	}
	return s.by(func(ctx context.Context, _ *clock, s *Study) error {
		for _, kb := range []int{512, 1024, 2048, 4096, 8192, 16384} {
			var values []float64
			for _, l := range logs {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				source, err := l.open()
				if err != nil {
					return err
				}
				pair, err := popularOf(source, kb*kib/2/smaller, lookups/source.Shape().Lookups(), later)
				if err != nil {
					return err
				}
				values = append(values, pair[:]...)
			}
			s.row(float64(kb)/kib, values...)
		}
		return nil
	})
}

// popularOf is the percentage of inputs that are popular behind those that were learned, with an EAL
// of so many blocks and with an oracle.
func popularOf(source data.Source, blocks, inputs, later int) (share [2]float64, err error) {
	x, err := learn(source, withBlocks(blocks), inputs, true)
	if err != nil {
		return share, err
	}
	if share[0], err = popular(source, inputs, later, x.holds); err != nil {
		return share, err
	}
	most := x.most(blocks)
	slices.Sort(most)
	share[1], err = popular(source, inputs, later, func(id uint32) bool { _, ok := slices.BinarySearch(most, id); return ok })
	return share, err
}

package papers

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// figures3to5 are shares of the baselines' time.
func (h hotline) figures3to5() Figure {
	f := Figure{
		Name: "Hotline Figures 3 to 5", Title: "percent of the time of a mini-batch, without the loader",
		Note:   "1,024 inputs a GPU. The paper names Terabyte for Figure 3 only.",
		Labels: []string{"part", "of"}, Columns: columns(h.profiles),
	}
	share := func(s source, labels ...string) func(p timing.Profile) measure {
		return func(p timing.Profile) measure {
			return ofRuns(s, p, func(_ load, run timing.Run) float64 {
				return 100 * phase(run, labels...) / (run.Time.Seconds() - phase(run, "loading inputs"))
			})
		}
	}
	rm2, rm3 := at(presets("rm2")[0], 4, perGPU), at(presets("rm3")[0], 4, perGPU)
	syn := site{presets("syn-m1")[0], 4, 16 * perGPU, 4}
	add := func(record string, cell func(p timing.Profile) measure, labels ...string) {
		f.Rows = append(f.Rows, row(h.profiles, beside(record), cell, labels...))
	}
	add("hotline/figure-3/embedding-optimiser-and-communication-share-of-the-hybrid-system-s-time/terabyte-4-gpus",
		share(rm3.hotline("hybrid")[0].source, "copies", "CPU embedding"), "CPU embedding and copies", "the hybrid system, rm3, 4 GPUs")
	add("hotline/figure-4/all-to-all-share-of-a-gpu-only-system-s-time/4-gpus",
		share(rm2.hotline("hugectr")[0].source, "all-to-all"), "all-to-all", "a GPU-only system, rm2, 4 GPUs")
	add("hotline/figure-5/communication-share-of-a-gpu-only-system-s-time/several-servers",
		share(syn.hotline("hugectr")[0].source, "all-to-all", "all-reduce"), "all-to-all and all-reduce", "the same, syn-m1, 4 servers")
	return f
}

// trends are the least steps of Figures 21 and 26.
func (h hotline) trends() Figure {
	var gains []func(p timing.Profile) measure
	for batch := 1024; batch <= 16384; batch *= 2 {
		pairs := over("hybrid", h.models, 4, batch)
		gains = append(gains, func(p timing.Profile) measure { return speedUp(p, pairs...) })
	}
	r := leastSteps(h.profiles, "hotline/figure-21/speed-up-by-mini-batch/rm1-to-rm4-vs-intel-dlrm", gains)
	r.Records = append(r.Records, "hotline/figure-26/gains-by-mini-batch/up-to-16k-inputs")
	return Figure{
		Name: "hotline trends", Title: "least step of the speed-up from a mini-batch to one twice as large, in times",
		Note: "Of Figures 21 and 26 above. Above 1 it grows.", Labels: []string{"step"}, Columns: columns(h.profiles), Rows: []FigureRow{r},
	}
}

// Of the training whose learning is timed.
const (
	learningBatches = 40
	relearn         = 20
)

// learning is the share of learning where nothing hides it.
func (h hotline) learning() Figure {
	s := source{"learning", func() (load, error) {
		t, err := trainingOf("rm2", 1, perGPU, learningBatches)
		if err != nil {
			return load{}, err
		}
		o, err := t.run(h.ctx, hotlineSystem(relearn), nil)
		if err != nil {
			return load{}, err
		}
		return t.load(o), nil
	}}
	f := Figure{
		Name: "Hotline learning", Title: "percent of Hotline's time that learning takes where nothing hides it",
		Note:   fmt.Sprintf("A training of rm2 on one GPU: %d mini-batches of 1,024 inputs like Kaggle's, one of %d is learned from. Rows that move are part of it.", learningBatches, relearn),
		Labels: []string{"model"}, Columns: columns(h.profiles),
	}
	f.Rows = []FigureRow{row(h.profiles, beside("hotline/section-vii/profiling-share-of-the-time/hotline"), func(p timing.Profile) measure {
		return ofRuns(s, p, func(_ load, run timing.Run) float64 {
			return 100 * phase(run, "learning", "hot-row copies") / run.Time.Seconds()
		})
	}, "rm2")}
	return f
}

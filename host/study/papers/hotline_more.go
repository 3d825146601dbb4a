package papers

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// figure19Others are the means over the other systems of Figure 19.
func (h hotline) figure19Others() Figure {
	f := Figure{
		Name: "Hotline Figure 19, others", Title: "Hotline over XDL and over FAE, mean of rm1 to rm4",
		Note: "1,024 inputs a GPU. A quarter of FAE's mini-batches are cold, and its hot rows are Hotline's. XDL reads the rows of Hotline's counts; " +
			"where the paper's computes on the CPU, here GPUs do.",
		Labels: []string{"over", "GPUs"}, Columns: columns(h.profiles),
	}
	for _, system := range []string{"xdl", "fae"} {
		records := byGPUs(id("hotline", "Figure 19", "Hotline over "+system))
		for _, gpus := range []int{1, 2, 4} {
			f.Rows = append(f.Rows, h.row(system, h.models, gpus, gpus*perGPU, beside(records[gpus]), system, fmt.Sprint(gpus)))
		}
	}
	return f
}

// figure25 is how much gathering takes that nothing hides.
func (h hotline) figure25() Figure {
	f := Figure{
		Name: "Hotline Figure 25", Title: "time of a mini-batch over that with a gather of no time, rm3 on 4 GPUs, by popular inputs",
		Note:   "1.00 is a gather that is hidden. The paper has it hidden down to 30 % popular inputs.",
		Labels: []string{"popular"}, Columns: columns(h.profiles),
	}
	s := at(presets("rm3")[0], 4, perGPU)
	for _, popular := range []int{90, 70, 50, 30, 10} {
		w := countsOf(s.model, s.batch, s.batch*(100-popular)/100)
		free := w
		free.Gather = 0
		x := pair{all(s.steady("hotline", timing.Hotline, free, usual)), all(s.steady("hotline", timing.Hotline, w, usual))}
		var records []string
		if popular >= 30 {
			records = beside(id("hotline", "Figure 25", "time over that with a gather of no time", fmt.Sprintf("popular:non-popular %d:%d", popular/10, 10-popular/10)))
		}
		f.Rows = append(f.Rows, row(h.profiles, records, func(p timing.Profile) measure { return speedUp(p, x) }, fmt.Sprintf("%d %%", popular)))
	}
	return f
}

// figure28 is about models with more tables.
func (h hotline) figure28() Figure {
	f := Figure{
		Name: "Hotline Figure 28", Title: "Hotline over the hybrid system, synthetic models, 4 GPUs",
		Note: "1,024 inputs a GPU. Of an input that is not popular as large a share of the rows is cold as of one of the Criteo log. The paper has the fall from 64 lookup engines, " +
			"which take some 20 us longer; a mini-batch takes ms.",
		Labels: []string{"model"}, Columns: columns(h.profiles),
	}
	for i, m := range presets("syn-m1", "syn-m2") {
		on := []string{"SYN-M1, 102 features", "SYN-M2, 204 features"}[i]
		f.Rows = append(f.Rows, h.row("hybrid", []dlrm.Config{m}, 4, 4*perGPU, beside(id("hotline", "Figure 28", "Hotline over Intel DLRM, 4 GPUs", on)), m.Name))
	}
	return f
}

// figure30 is about several servers.
func (h hotline) figure30() Figure {
	f := Figure{
		Name: "Hotline Figure 30", Title: "Hotline over a GPU-only system (HugeCTR), syn-m1 on 4 servers of 4 GPUs",
		Note:   "16,384 inputs. The time of Hotline is too short, as all cold rows are in one memory (docs/explanation/time.md). `syn-m2` does not fit on 16 GPUs: the results above.",
		Labels: []string{"model"}, Columns: columns(h.profiles),
	}
	s := site{presets("syn-m1")[0], 4, 16384, 4}
	x := pair{s.hotline("hotline"), s.hotline("hugectr")}
	f.Rows = []FigureRow{row(h.profiles, beside("hotline/figure-30/hotline-over-hugectr-on-4-servers/syn-m1"), func(p timing.Profile) measure { return speedUp(p, x) }, s.model.Name)}
	return f
}

// orders are those of Figures 19, 22 and 24, of rm2.
func (h hotline) orders() []Order {
	var list []Order
	for _, c := range []struct {
		gpus  int
		paper []Place
	}{
		{1, []Place{{"hotline", 1}, {"scratchpipe-ideal", number("hotline/figure-24/hotline-over-an-ideal-scratchpipe/1-gpu")}}},
		{2, []Place{{"hotline", 1}}},
		{4, []Place{{"hotline", 1}, {"hugectr", number("hotline/figure-22/hotline-over-hugectr/rm2-4-gpus")}, {"scratchpipe-ideal", number("hotline/figure-24/hotline-over-an-ideal-scratchpipe/4-gpus")}}},
	} {
		for _, over := range [][2]string{{"fae", "fae"}, {"hybrid-intel", "Intel-optimised DLRM"}, {"xdl", "XDL"}} {
			c.paper = append(c.paper, Place{over[0], number(byGPUs(id("hotline", "Figure 19", "Hotline over "+over[1]))[c.gpus])})
		}
		s, mixes := at(presets("rm2")[0], c.gpus, perGPU), map[string]mix{}
		for _, place := range c.paper {
			mixes[place.System] = s.hotline(place.System)
		}
		list = append(list, newOrder(Order{
			Name: "Hotline Figures 19, 22, 24, " + gpuCount(c.gpus), Title: fmt.Sprintf("rm2, %s, 1,024 inputs each", gpuCount(c.gpus)),
			Note: "The paper's are means over its models. `cpu-hotline` has no place: the paper only has the largest speed-up over it.", Paper: c.paper,
			record: id("hotline", "Figures 19, 22, 24", "order of the systems", "rm2, "+gpuCount(c.gpus)),
		}, h.profiles, mixes))
	}
	return list
}

func gpuCount(n int) string {
	if n == 1 {
		return "1 GPU"
	}
	return fmt.Sprintf("%d GPUs", n)
}

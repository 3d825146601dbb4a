package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// faePaper is FAE (VLDB 2022).
func faePaper(profile string, profiles []timing.Profile) []experiment {
	list := []experiment{arithmetic("fae sizes", faeSizes), arithmetic("fae arithmetic", faeArithmetic), arithmetic("fae generated", faeGenerated), arithmetic("fae all popular", allPopular)}
	for _, d := range faeData {
		list = append(list, counting("fae hot "+d.name, d.hot))
	}
	list = append(list, drawn(profile, faeTable5(profiles), xdlTable5(profiles), faeTable6(profiles), faeTable6FAE(profiles), faeFigure13(profiles), faeFigure15(profiles), faeFigure16(profiles))...)
	return append(append(list, ordered(profile, faeOrder(profiles, 1), faeOrder(profiles, 4))...), parity("fae parity", faeParity))
}

// faeSet is a data set of the paper.
type faeSet struct {
	name, model string
	inputs      float64 // of the training, as the paper states; of Taobao as its Table 7 implies
	hotMB       float64 // of hot rows
	batch       int     // inputs of a GPU
}

var faeData = []faeSet{
	{"Taobao", "rm1", 10_905_000, 20, 256},
	{"Kaggle", "rm2", 39_291_958, 147, 1024},
	{"Terabyte", "rm3", 60_500_000, 256, 1024},
	{"Avazu", "rm4", 32_300_000, 40, 1024},
}

// table is a number of a table of the paper, of the data set.
func (d faeSet) table(item, what string) float64 { return number(id("fae", item, what, d.name)) }

// minutes are those of a table, on some GPUs.
func (d faeSet) minutes(item, what string, gpus int) float64 {
	return number(id("fae", item, what, d.name+", "+gpuCount(gpus)))
}

func (d faeSet) of() dlrm.Config { return presets(d.model)[0] }

// vectors is what DLRM copies in an epoch, one way, in GiB: a vector for each table.
func (d faeSet) vectors() float64 {
	m := d.of()
	return d.inputs * float64(len(m.Tables)*4*m.Dim) / gib
}

// cold is the share of cold inputs that Table 7 implies, if swaps are left out.
func (d faeSet) cold() float64 {
	return d.table("Table 7", "copied by FAE") / d.table("Table 7", "copied by DLRM")
}

// perSecond is how many minutes ten epochs take for each second of a mini-batch.
func (d faeSet) perSecond(gpus int) float64 { return 10 * d.inputs / float64(d.batch*gpus) / 60 }

// taobaoEpochs are as many as all six rows of Taobao in Table 5 hold with, FAE's and XDL's. The
// table has minutes until an accuracy is reached, and does not say in how many epochs; that these
// are ten is said of Tables 6 and 7. The fewest are taken.
const taobaoEpochs = 22

// taobaoSample is the share of the inputs that FAE's release samples of Taobao.
const taobaoSample = 0.2

// profiledLookups are as many as are profiled in seconds.
const profiledLookups = 26 << 19

// prepared is what FAE prepares for the first inputs, from a sample of them.
func (d faeSet) prepared(inputs int, sample float64) (*static.Prepared, error) {
	t, err := trainingOf(d.model, 1, 4096, 0)
	if err != nil {
		return nil, err
	}
	b, err := train.NewBatches(t.model, t.clicks, t.batch, int64(inputs))
	if err != nil {
		return nil, err
	}
	o := static.DefaultOptions()
	o.Sample = sample
	return static.Prepare(b, t.model, o)
}

// fewer explains entries that are fewer than what is scanned of a large table allows.
func (d faeSet) fewer(ratio float64) []string {
	largest := 0
	for _, t := range d.of().Tables {
		largest = max(largest, t.Rows)
	}
	if at := float64(largest) / (35 * 1024); at > ratio && ratio < 14 {
		return []string{fmt.Sprintf("the chunks are as many in any table: %.1f of the largest one, of %d rows", at, largest)}
	}
	return nil
}

// hot is what the statistical optimiser finds in the first inputs of clicks like those of
// the data set.
func (d faeSet) hot(context.Context) (Finding, error) {
	m := d.of()
	inputs := profiledLookups / m.Lookups()
	sample := static.DefaultOptions().Sample
	p, err := d.prepared(inputs, sample)
	if err != nil {
		return Finding{}, err
	}
	shorter, err := d.prepared(inputs/4, sample)
	if err != nil {
		return Finding{}, err
	}
	e := p.Figures.Estimate
	bytes := float64(p.Hot.Len()) * float64(4*m.Dim)
	share := func(p *static.Prepared) float64 { return float64(p.Inputs.Popular()) / float64(p.Inputs.Len()) }
	popular, before := share(p), share(shorter)
	moved := func(popular float64) float64 { return d.vectors()*(1-popular) + 3*bytes/gib }
	of := fmt.Sprintf("of the first %d inputs", inputs)
	var f Finding
	f.add(id("fae", "Figure 10", "estimate of hot rows off the count", d.name), 100*math.Abs(e.Rows/float64(p.Figures.Rows)-1), of)
	f.add(id("fae", "Figure 9", "entries over entries scanned for a threshold", d.name), float64(e.Entries)/float64(e.Scanned), of, d.fewer(float64(e.Entries)/float64(e.Scanned))...)
	longer := fmt.Sprintf("more rows repeat in a longer log: %.1f %% of the first %d inputs are popular, %.1f %% of the first %d", 100*before, inputs/4, 100*popular, inputs)
	paper := d.table("Table 7", "copied by FAE")
	because := towards(moved(before), moved(popular), paper, longer)
	if because == nil {
		larger, err := d.prepared(inputs, taobaoSample)
		if err != nil {
			return Finding{}, err
		}
		sampled := share(larger)
		because = towards(moved(popular), moved(sampled), paper, fmt.Sprintf("more rows are hot in a larger sample: %.1f %% popular with %.0f %% of the inputs, as its release takes for Taobao, "+
			"in place of %.0f %%, and %.2f GiB", 100*sampled, 100*taobaoSample, 100*sample, moved(sampled)))
	}
	f.add(id("fae", "Table 7", "copied by FAE", d.name), moved(popular), of, because...)
	switch d.name {
	case "Kaggle":
		f.add("fae/section-2/inputs-that-hot-rows-serve/kaggle", 100*popular, of, towards(before, popular, 0.75, longer)...)
	case "Terabyte":
		f.add("fae/figure-1/inputs-that-hot-rows-serve/terabyte", 100*popular, of, towards(before, popular, 0.816, longer)...)
	default:
		f.other("inputs that hot rows serve, "+d.name, 100*popular, 1, "%", of)
	}
	return f, nil
}

// towards is an explanation, if a figure goes from a shorter to a longer log in the direction
// where the paper's is.
func towards(before, after, paper float64, explanation string) []string {
	if (after-before)*(paper-after) > 0 {
		return []string{explanation}
	}
	return nil
}

// eachGPUs calls with 1, 2 and 4 GPUs.
func eachGPUs(f func(i, gpus int)) {
	for i, gpus := range []int{1, 2, 4} {
		f(i, gpus)
	}
}

// site is where the paper trains on a data set.
func (d faeSet) site(gpus int) site { return at(d.of(), gpus, d.batch) }

// fae and xdl are systems on a data set.
func (d faeSet) fae(gpus int) mix {
	s := d.site(gpus)
	return s.fae(d.cold(), int(d.hotMB*1e6)/4/s.model.Dim)
}

func (d faeSet) xdl(gpus int) mix {
	s := d.site(gpus)
	return s.xdl(counts(s.model, s.batch))
}

func (d faeSet) hybrid(gpus int) mix { return d.site(gpus).hotline("hybrid") }

// faeTable has a row for each data set and number of GPUs.
func faeTable(f Figure, profiles []timing.Profile, item, what string, cell func(d faeSet, gpus int, p timing.Profile) measure) Figure {
	f.Labels, f.Columns = []string{"data", "GPUs"}, columns(profiles)
	for _, d := range faeData {
		eachGPUs(func(_, gpus int) {
			record := id("fae", item, what, d.name+", "+gpuCount(gpus))
			minutes := func(p timing.Profile) measure { return scaled(cell(d, gpus, p), d.perSecond(gpus)) }
			f.Rows = append(f.Rows, row(profiles, beside(record), minutes, d.name, fmt.Sprint(gpus)))
		})
	}
	return f
}

// faeTable5Of is Table 5 of a system. Its rows of Taobao, which come first, have another reading.
func faeTable5Of(f Figure, profiles []timing.Profile, what string, system func(d faeSet, gpus int) mix) Figure {
	f = faeTable(f, profiles, "Table 5", what, func(d faeSet, gpus int, p timing.Profile) measure { return seconds(system(d, gpus), p) })
	taobao := faeData[0]
	longer := fmt.Sprintf("%d epochs, not ten: the table has minutes until an accuracy is reached, and does not say in how many; with %d all six rows of Taobao hold", taobaoEpochs, taobaoEpochs)
	eachGPUs(func(i, gpus int) {
		f.Rows[i].readings = []reading{{longer, func(p timing.Profile) measure {
			return scaled(seconds(system(taobao, gpus), p), taobao.perSecond(gpus)*taobaoEpochs/10)
		}}}
	})
	return f
}

func faeTable5(profiles []timing.Profile) Figure {
	return faeTable5Of(Figure{
		Name: "FAE Table 5", Title: "minutes of ten epochs with FAE",
		Note: "Cold inputs are as many as its Table 7 implies; 147 MB of rows are hot for Kaggle, as it states, 256 for Terabyte, the budget of its release; 20 and 40 for Taobao and Avazu, as large a share as Kaggle's, are a choice. " +
			"Its TBSM (Taobao) takes about twice ours, on any number of GPUs, and XDL's three times; its released program has fewer operators than are counted here (docs/explanation/time.md).",
	}, profiles, "minutes of FAE", faeSet.fae)
}

func xdlTable5(profiles []timing.Profile) Figure {
	return faeTable5Of(Figure{
		Name: "FAE Table 5, XDL", Title: "minutes of ten epochs with XDL",
		Note: "Rows are read as in Hotline's counts: half of the lookups of a GPU are distinct. The paper's XDL computes on the CPU.",
	}, profiles, "minutes of XDL", faeSet.xdl)
}

func faeTable6(profiles []timing.Profile) Figure {
	return faeTable(Figure{
		Name: "FAE Table 6", Title: "minutes of copies in ten epochs with the hybrid system",
		Note: "The rows of one GPU with `fae-2022` are calibrated (pageable_table_us, pageable_gb_per_s) and no result.",
	}, profiles, "Table 6", "minutes of DLRM's copies", func(d faeSet, gpus int, p timing.Profile) measure { return copies(d.hybrid(gpus)[0].source, p) })
}

// faeTable6FAE is the cold share of the hybrid system's copies.
func faeTable6FAE(profiles []timing.Profile) Figure {
	f := faeTable(Figure{
		Name: "FAE Table 6, FAE", Title: "minutes of copies in ten epochs with FAE",
		Note: "Cold inputs are as many as Table 7 implies; what swaps between hot and cold mini-batches copy is left out.",
	}, profiles, "Table 6", "minutes of FAE's copies", func(d faeSet, gpus int, p timing.Profile) measure {
		return scaled(copies(d.hybrid(gpus)[0].source, p), d.cold())
	})
	i := 0
	for _, d := range faeData {
		eachGPUs(func(_, gpus int) {
			cold := d.minutes("Table 6", "minutes of FAE's copies", gpus) / d.minutes("Table 6", "minutes of DLRM's copies", gpus)
			f.Rows[i].readings = []reading{{fmt.Sprintf("%.1f %% cold, as this table's own columns have it, not %.1f %%", 100*cold, 100*d.cold()), func(p timing.Profile) measure {
				return scaled(copies(d.hybrid(gpus)[0].source, p), cold*d.perSecond(gpus))
			}}}
			i++
		})
	}
	return f
}

// copies is the part of a mini-batch's time that is copies, in seconds.
func copies(s source, p timing.Profile) measure {
	return ofRuns(s, p, func(l load, run timing.Run) float64 { return phase(run, "copies") / float64(len(l.works)) })
}

func faeFigure13(profiles []timing.Profile) Figure {
	f := Figure{
		Name: "FAE Figure 13", Title: "FAE over XDL and over the hybrid system, mean of the four data sets",
		Note:   "The paper's are geometric means of its Table 5, and its headline over DLRM.",
		Labels: []string{"over", "GPUs"}, Columns: columns(profiles),
	}
	for _, c := range []struct {
		name    string
		of      func(faeSet, int) mix
		records [3][]string
	}{
		{"xdl", faeSet.xdl, [3][]string{{faeOverXDL(1)}, {faeOverXDL(2)}, {faeOverXDL(4), "fae/abstract/fae-over-xdl/over-xdl-on-cpu-and-4-gpus"}}},
		{"hybrid", faeSet.hybrid, [3][]string{{}, {}, {"fae/abstract/fae-over-dlrm/4-gpus"}}},
	} {
		eachGPUs(func(i, gpus int) {
			var pairs []pair
			for _, d := range faeData {
				pairs = append(pairs, pair{d.fae(gpus), c.of(d, gpus)})
			}
			f.Rows = append(f.Rows, row(profiles, c.records[i], func(p timing.Profile) measure { return speedUp(p, pairs...) }, c.name, fmt.Sprint(gpus)))
		})
	}
	return f
}

// faeOverXDL is a record of Figure 13.
func faeOverXDL(gpus int) string {
	return id("fae", "Figure 13", "FAE over XDL, mean of the data sets", gpuCount(gpus))
}

// faeFigure15 is FAE over XDL by mini-batch.
func faeFigure15(profiles []timing.Profile) Figure {
	f := Figure{
		Name: "FAE Figure 15", Title: "FAE over XDL by mini-batch, Kaggle on one GPU",
		Note:   "The paper shows as a picture that gains grow. The last row is the least step from one mini-batch to the next, in times.",
		Labels: []string{"inputs"}, Columns: columns(profiles),
	}
	var over []func(p timing.Profile) measure
	for _, batch := range []int{256, 1024, 4096, 16384} {
		d := faeData[1]
		d.batch = batch
		cell := func(p timing.Profile) measure { return speedUp(p, pair{d.fae(1), d.xdl(1)}) }
		over = append(over, cell)
		f.Rows = append(f.Rows, row(profiles, nil, cell, fmt.Sprint(batch)))
	}
	f.Rows = append(f.Rows, leastSteps(profiles, "fae/figure-15/fae-over-xdl-by-mini-batch/256-to-16384-inputs", over))
	return f
}

// faeSynthetic are the models of the paper's Table 8, with Terabyte's tables.
func faeSynthetic() (list []dlrm.Config) {
	for i, mlps := range [][2][]int{
		{{13, 64}, {512, 1}}, {{13, 512, 64}, {512, 256, 1}}, {{13, 1024, 512, 64}, {512, 1024, 256, 1}}, {{13, 1024, 512, 256, 64}, {512, 1024, 512, 256, 1}},
	} {
		m := faeData[2].of()
		m.Name, m.Bottom, m.Top = fmt.Sprintf("SYN-M%d", i+1), mlps[0], mlps[1]
		list = append(list, m)
	}
	return list
}

// faeFigure16 is FAE over XDL with MLPs of other sizes.
func faeFigure16(profiles []timing.Profile) Figure {
	f := Figure{
		Name: "FAE Figure 16", Title: "FAE over XDL with the synthetic models of its Table 8, one GPU",
		Note:   "Their tables are not published: those of Terabyte stand for them, with its cold inputs and hot rows; rows have 64 values, as the bottom MLPs end with.",
		Labels: []string{"model"}, Columns: columns(profiles),
	}
	d := faeData[2]
	var pairs []pair
	for _, m := range faeSynthetic() {
		s := at(m, 1, d.batch)
		x := pair{s.fae(d.cold(), int(d.hotMB*1e6)/4/m.Dim), s.xdl(counts(m, s.batch))}
		pairs = append(pairs, x)
		f.Rows = append(f.Rows, row(profiles, nil, func(p timing.Profile) measure { return speedUp(p, x) }, m.Name))
	}
	records := beside("fae/figure-16/fae-over-xdl-synthetic-models/mean", "fae/table-8/fae-over-xdl-synthetic-models/mean")
	f.Rows = append(f.Rows, row(profiles, records, func(p timing.Profile) measure { return speedUp(p, pairs...) }, "mean"))
	return f
}

func faeOrder(profiles []timing.Profile, gpus int) Order {
	d := faeData[1]
	paper := []Place{{"fae", 1}, {"xdl", number(faeOverXDL(gpus))}}
	if gpus == 4 {
		paper = append(paper, Place{"hybrid", number("fae/abstract/fae-over-dlrm/4-gpus")})
	}
	return newOrder(Order{
		Name: "FAE Figures 13, 14, " + gpuCount(gpus), Title: fmt.Sprintf("Kaggle (rm2), %s, 1,024 inputs each", gpuCount(gpus)), Paper: paper,
		Note:   "The paper's are means over its data sets. DLRM and XDL on the CPU alone are not here: there is no constant with a source for MLPs on a CPU.",
		record: id("fae", "Figures 13, 14", "order of the systems", "Kaggle, "+gpuCount(gpus)),
	}, profiles, map[string]mix{"fae": d.fae(gpus), "xdl": d.xdl(gpus), "hybrid": d.hybrid(gpus)})
}

package papers

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// faeSizes are what follows from sizes, and from the paper's own columns.
func faeSizes(f *Finding) error {
	for _, d := range faeData {
		_, log, err := clicksOf(logs[d.model])
		if err != nil {
			return err
		}
		f.add(id("fae", "Table 2", "inputs", d.name), float64(log.Inputs)/1e6, "")
		f.add(id("fae", "Table 2", "embeddings", d.name), bytesOf(d.of()), "")
		f.add(id("fae", "Table 7", "copied by DLRM", d.name), d.vectors(), fmt.Sprintf("%.3fM inputs", d.inputs/1e6))
		if err := d.copiedByXDL(f); err != nil {
			return err
		}
	}
	for _, m := range faeSynthetic() {
		f.said(id("fae", "Table 8", "synthetic models, MLPs", m.Name), widths(m.Bottom)+", "+widths(m.Top), "as Figure 16 is run here")
	}
	f.add("fae/table-7/copied-by-fae-from-the-paper-s-figure-1/terabyte", faeData[2].vectors()*(1-0.01*number("fae/figure-1/inputs-that-hot-rows-serve/terabyte"))+3*400e6/gib, "")
	eachGPUs(func(_, gpus int) {
		ratio := geometricMean(func(d faeSet) float64 {
			return d.minutes("Table 5", "minutes of XDL", gpus) / d.minutes("Table 5", "minutes of FAE", gpus)
		})
		f.add(id("fae", "Table 5", "geometric mean of XDL over FAE, from the paper's minutes", gpuCount(gpus)), ratio, "")
		f.add(id("fae", "Table 5", "time that FAE saves over XDL, from the paper's minutes", gpuCount(gpus)), 100*(1-1/ratio), "")
	})
	f.add("fae/table-5/geometric-mean-of-the-cpu-over-fae-on-4-gpus-from-the-paper-s-minutes/4-gpus", geometricMean(func(d faeSet) float64 {
		return d.table("Table 5", "minutes of a training on the CPU") / d.minutes("Table 5", "minutes of FAE", 4)
	}), "")
	most := 0.
	for _, d := range faeData {
		watts := func(system string) float64 { return number(id("fae", "Table 9", "power", system+", "+d.name)) }
		most = max(most, 100*(1-watts("FAE")/watts("XDL")))
	}
	f.add("fae/table-9/power-that-fae-saves-from-the-paper-s-watts/most", most, "")
	kaggle := faeData[1]
	f.add("fae/abstract/data-copied-xdl-over-fae-from-the-paper-s-table-7/less", kaggle.table("Table 7", "copied by XDL")/kaggle.table("Table 7", "copied by FAE"), "of Kaggle")
	return nil
}

// copiedByXDL is dense parameters both ways in each mini-batch of 4 GPUs, and ids.
func (d faeSet) copiedByXDL(f *Finding) error {
	net, err := dlrm.NewNet(d.of(), 1)
	if err != nil {
		return err
	}
	dense := d.inputs / float64(4*d.batch) * float64(8*net.Len()) / gib
	ids := d.inputs * float64(8*len(d.of().Tables)) / gib
	paper := d.table("Table 7", "copied by XDL")
	var because []string
	if dense > paper {
		because = []string{fmt.Sprintf("the paper's is below its dense parameters: %.1f GiB, both ways", dense)}
	}
	f.add(id("fae", "Table 7", "copied by XDL", d.name), dense+ids, "", because...)
	return nil
}

func geometricMean(of func(d faeSet) float64) float64 {
	product := 1.0
	for _, d := range faeData {
		product *= of(d)
	}
	return math.Pow(product, 1/float64(len(faeData)))
}

// faeArithmetic is what follows from what the paper states of itself.
func faeArithmetic(f *Finding) error {
	f.add("fae/figure-1/hot-rows-share-of-the-memory/terabyte", 100*400e6/61e9, "")
	f.add("fae/figure-8/latency-of-sampling-over-that-of-all-inputs/all-data-sets", 1/static.DefaultOptions().Sample, "")
	return nil
}

// faeGenerated is what clicks are generated to.
func faeGenerated(f *Finding) error {
	_, kaggle, err := clicksOf("kaggle")
	if err != nil {
		return err
	}
	f.add("fae/section-2/accesses-to-the-hottest-6.8-of-the-rows/kaggle", 100*kaggle.Params.Fit(kaggle.Targets)[0].Reached, "by the generator's formula")
	return nil
}

// allPopular counts mini-batches of independent inputs of which all are popular.
func allPopular(f *Finding) error {
	const draws = 40_000_000
	p := 0.99
	for _, batch := range []int{16, 256, 1024} {
		r, all := detmath.NewStream(Seed), 0
		for range draws / batch {
			popular := true
			for range batch {
				popular = r.Uint64() < uint64(p*math.MaxUint64) && popular
			}
			if popular {
				all++
			}
		}
		counted := float64(all) / float64(draws/batch)
		formula := math.Pow(p, float64(batch))
		f.add(id("fae", "Figure 3", "mini-batches with popular inputs only, off p^B", fmt.Sprintf("B = %d", batch)), 100*(counted-formula), fmt.Sprintf("%.4f of %d, p^B is %.4f", counted, draws/batch, formula))
	}
	return nil
}

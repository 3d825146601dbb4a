package papers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
)

// elrecData are the data sets of Tables II and III: the size of a row, and tables.
var elrecData = []struct {
	name       string
	dim, dense int
	tables     []int
}{
	{"Avazu", 16, 1, []int{8, 4680, 7567, 27, 8380, 550, 36, 2512738, 6385037, 8165, 6, 5, 2621, 9, 10, 434, 5, 69, 173, 61}},
	{"Terabyte", 64, 13, []int{49999999, 38372, 17051, 7425, 20266, 4, 7040, 1522, 64, 49999999, 2953986, 397019, 11, 2209, 11797, 128, 4, 977, 15,
		49999999, 38415840, 49999999, 578540, 12787, 109, 37}},
	{"Kaggle", 16, 13, []int{1461, 581, 9214729, 2031648, 306, 24, 12471, 634, 4, 90948, 5633, 7607629, 3183, 28, 14825, 4995567, 11, 5606, 2172, 4,
		6431684, 18, 16, 272266, 105, 138045}},
}

// elrecTables are Tables II and III, and what follows from the paper's own numbers.
func elrecTables(f *Finding) error {
	o := elrec.DefaultOptions()
	for _, d := range elrecData {
		rows, compressed := 0, 0
		for _, n := range d.tables {
			rows += n
			if n <= o.Threshold {
				compressed += n * d.dim
				continue
			}
			s, err := tt.ShapeOf(n, d.dim, o.Rank)
			if err != nil {
				return err
			}
			compressed += s.Len()
		}
		size := func(values int) float64 { return float64(4*values) / mib }
		f.add(id("elrec", "Table II", "dense features", d.name), float64(d.dense), "")
		f.add(id("elrec", "Table II", "tables", d.name), float64(len(d.tables)), "")
		f.add(id("elrec", "Table II", "rows", d.name), float64(rows)/1e6, "")
		f.add(id("elrec", "Table II", "embeddings", d.name), size(rows*d.dim)/1000, "")
		f.add(id("elrec", "Table III", "embeddings in tensor-train form", d.name), size(compressed), "")
		f.add(id("elrec", "Table III", "plain over tensor-train form", d.name), float64(rows*d.dim)/float64(compressed), "")
	}
	f.add(id("elrec", "Table II", "values of a row", "Avazu, Kaggle"), float64(presets("rm2")[0].Dim), "of rm2 and rm4")
	f.add(id("elrec", "Table II", "values of a row", "Terabyte"), float64(presets("rm3")[0].Dim), "of rm3")
	plain := 40e6 * 128 * 4. / gib
	f.add("elrec/figure-13/a-table-of-40m-rows-of-128-values/plain", plain, "")
	f.add("elrec/figure-13/memory-of-hugectr-and-torchrec-on-1-gpu-of-16-gib/1-gpu", plain, "")
	for _, system := range []string{"TorchRec", "HugeCTR"} {
		f.add(id("elrec", "Figure 13", "EL-Rec over other systems, from the paper's rates", "over "+system), number(elrecRate("EL-Rec", 4))/number(elrecRate(system, 4)), "")
	}
	cold := 0.
	for _, d := range faeData {
		cold += 100 * d.cold() / float64(len(faeData))
	}
	f.add("elrec/introduction/mini-batches-of-fae-that-are-not-hot/mean", cold, "")
	return nil
}

// memory is what rm3 takes on a GPU in either form.
func (e *elrecRuns) memory(context.Context) (f Finding, err error) {
	plain, compressed := elrec.DefaultOptions(), elrec.DefaultOptions()
	plain.Threshold = math.MaxInt32
	var needs [2]float64
	for i, o := range []elrec.Options{plain, compressed} {
		t, err := trainingOf("rm3", 1, elrecBatch, 1)
		if err != nil {
			return f, err
		}
		x, b, err := t.begun(elrecSystem(o), 0.01)
		if err != nil {
			return f, err
		}
		_, err = train.Run(x, b, train.Unwatched{}, nil)
		full := &server.OutOfMemory{}
		if !errors.As(err, &full) {
			return f, fmt.Errorf("papers: EL-Rec fits into 0.01 GiB: %w", err)
		}
		needs[i] = float64(full.Needs) / gib
	}
	f.add("elrec/section-vi/rm3-on-a-gpu-of-16-gib/all-tables-plain", needs[0], "")
	f.add("elrec/section-vi/rm3-on-a-gpu-of-16-gib/in-tensor-train-form", needs[1], "")
	return f, nil
}

// products are what Figures 4b, 14 and 17 rest on: in small mini-batches, of which all
// inputs were in the graph that numbers rows anew, and in those of the paper.
func (e *elrecRuns) products(model string) func(context.Context) (Finding, error) {
	return func(context.Context) (f Finding, err error) {
		for _, batch := range []int{elrecBatch / 4, elrecBatch} {
			if err := e.productsOf(&f, model, batch); err != nil {
				return f, err
			}
		}
		return f, nil
	}
}

func (e *elrecRuns) productsOf(f *Finding, model string, batch int) error {
	t, err := trainingOf(model, 1, batch, elrecBatches)
	if err != nil {
		return err
	}
	o := elrec.DefaultOptions()
	graph := o.Groups * elrec.GroupInputs
	with, err := e.run(elrecName("elrec", model, 1, batch), t, elrecSystem(o))
	if err != nil {
		return err
	}
	o.Groups = 0
	without, err := e.run(elrecName("not reordered", model, 1, batch), t, elrecSystem(o))
	if err != nil {
		return err
	}
	lookups := float64(with.Count(elrec.CountLookups))
	share := func(o outcome, label string) float64 { return 100 * float64(o.Count(label)) / lookups }
	rows, prefixes, reordered := share(with, elrec.CountRows), share(without, elrec.CountPrefixes), share(with, elrec.CountPrefixes)
	on := fmt.Sprintf("%s, %d inputs", model, batch)
	of := fmt.Sprintf("of %.0f lookups in tables of that form", lookups/elrecBatches)
	if batch == elrecBatch {
		f.add(id("elrec", "Figure 4b", "distinct rows, share of the lookups", on), rows, of)
		f.bounded(id("elrec", "Figure 17", "products of two slices, share of the lookups", on), prefixes, 0, rows, of)
	} else {
		f.other("Figure 4b: distinct rows, share of the lookups, "+on, rows, 1, "%", of)
		f.other("Figure 17: products of two slices, share of the lookups, "+on, prefixes, 1, "%", of)
	}
	inGraph := 100 * float64(graph) / float64(with.Inputs)
	var because []string
	if inGraph < 100 {
		because = []string{fmt.Sprintf("only %.0f %% of the inputs were in the graph", inGraph)}
	}
	f.add(id("elrec", "Figure 17", "products of two slices, reordered", on), reordered, fmt.Sprintf("%.0f %% of the inputs were in the graph; %.1f %% in the order of the tables", inGraph, prefixes), because...)
	f.Outcomes[len(f.Outcomes)-1].Bounds = &[2]float64{0, prefixes}
	return nil
}

package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/repro"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// results are Table II and the sizes of the accelerator.
func (h hotline) results(context.Context) ([]Result, error) {
	var list []Result
	paper := map[string][3]float64{"rm1": {7.3, 5.1, 0.3}, "rm2": {287.5, 33.8, 2}, "rm3": {549.1, 266, 63}, "rm4": {281.4, 9.3, 0.55}}
	for _, m := range h.models {
		net, err := rec.NewNet(m, 1)
		if err != nil {
			return nil, err
		}
		dense, rows := float64(net.Len()), float64(totalRows(m))
		printed, note := 2*dense, fmt.Sprintf("twice the parameters, of which there are %.1fk", dense/1e3)
		if m.Kind == rec.DLRM {
			printed = dense - float64((m.TopIn()+1)*m.Top[0])
			note = fmt.Sprintf("without the first layer of the top MLP; with it %.1fk", dense/1e3)
		}
		p := paper[m.Name]
		list = append(list,
			exact("Table II: dense parameters of "+m.Name, p[0], 0.1, printed/1e3, 1, "k", note),
			exact("Table II: rows of "+m.Name, p[1], 0.1, rows/1e6, 1, "M", ""),
			exact("Table II: embeddings of "+m.Name, p[2], 0.03*p[2], rows*float64(4*m.Dim)/gib, 2, "GiB", ""))
	}
	return append(list, acceleratorSizes()...), nil
}

func totalRows(m rec.Config) (n int) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// acceleratorSizes are what the paper's memories hold, and how many lookups its banks do.
func acceleratorSizes() []Result {
	m := presets("rm3")[0]
	input := 4 * (m.Lookups() + m.DenseWidth() + 1)
	syn := presets("syn-m1", "syn-m2")
	size := func(m rec.Config) float64 { return float64(totalRows(m)) * float64(4*m.Dim) / gib }
	return []Result{
		exact("Sec. VII: eDRAM for 16K inputs of Criteo", 2.5, 0, float64(16*kib*input)/mib, 1, "MiB", "ids, dense features and label of 4 bytes each"),
		exact("Sec. VII: hot rows of 64 values in 2M blocks", 512, 0, float64(hotTable*4*m.Dim)/mib, 0, "MiB", ""),
		exact("Sec. VII: EAL of 2M blocks of 16 bits", 4, 0, float64(hotTable*2)/mib, 0, "MiB", "a valid bit, two of age and 13 of the row"),
		counted("Figure 16: lookups a cycle, 512 entries, 64 banks", "60", 59.5, 60.5, bankLookups(512, 64), 1, "", "of 100,000 cycles with random banks"),
		unpublished("Figure 16: lookups a cycle, 512 entries, 16 banks", bankLookups(512, 16), 1, "", "the paper's grid is a picture"),
		Result{Name: "Figure 30: syn-m2 does not fit on 16 GPUs of 16 GiB", Class: Exact, Paper: "out of memory", Low: 256, High: math.MaxFloat64, Ours: size(syn[1]), Unit: "GiB", Note: "above 256 GiB"}.judged(),
		Result{Name: "Figure 30: syn-m1 does", Class: Exact, Paper: "196", Low: 195, High: 197, Ours: size(syn[0]), Unit: "GiB"}.judged(),
	}
}

// bankLookups is how many lookups a queue issues in a cycle: the oldest of each bank, and it
// is filled up again.
func bankLookups(entries, banks int) float64 {
	const cycles = 100_000
	r := repro.NewStream(1)
	waiting := make([]int, banks)
	for range entries {
		waiting[r.Uint64()%uint64(banks)]++
	}
	issued := 0
	for range cycles {
		free := 0
		for b := range waiting {
			if waiting[b] > 0 {
				waiting[b]--
				free++
			}
		}
		issued += free
		for range free {
			waiting[r.Uint64()%uint64(banks)]++
		}
	}
	return float64(issued) / cycles
}

package papers

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// counts are the experiments that need no time.
func (h hotline) counts() []experiment {
	return []experiment{
		arithmetic("hotline sizes", h.sizes), arithmetic("hotline arithmetic", h.arithmetic), arithmetic("hotline area", h.area), counting("hotline tracked", tracked),
		counting("hotline skew", skew), counting("hotline drift", drift), counting("hotline sampled", sampled),
		counting("hotline multi-hot", multiHot),
	}
}

// bytesOf is the size of a model's tables in GiB.
func bytesOf(m dlrm.Config) float64 { return float64(m.Rows()) * float64(4*m.Dim) / gib }

// sizes are Table II, and what does not fit.
func (h hotline) sizes(f *Finding) error {
	for _, m := range h.models {
		net, err := dlrm.NewNet(m, 1)
		if err != nil {
			return err
		}
		dense := float64(net.Len())
		printed, note := 2*dense, fmt.Sprintf("twice the parameters, of which there are %.1fk", dense/1e3)
		if m.Kind == dlrm.DLRM {
			printed = dense - float64((m.TopIn()+1)*m.Top[0])
			note = fmt.Sprintf("without the first layer of the top MLP; with it %.1fk", dense/1e3)
		}
		f.add(id("hotline", "Table II", "dense parameters", m.Name), printed/1e3, note)
		f.add(id("hotline", "Table II", "rows", m.Name), float64(m.Rows())/1e6, "")
		f.add(id("hotline", "Table II", "embeddings", m.Name), bytesOf(m), "")
	}
	for _, gpus := range []int{1, 2, 4} {
		f.add(id("hotline", "Figure 22", "memory that HugeCTR needs for Terabyte", gpuCount(gpus)), bytesOf(presets("rm3")[0]), fmt.Sprintf("of %d GiB", 16*gpus))
	}
	syn := presets("syn-m1", "syn-m2")
	f.add("hotline/figure-30/embeddings/syn-m1", bytesOf(syn[0]), "")
	f.add("hotline/figure-30/embeddings/syn-m2", bytesOf(syn[1]), "")
	f.add("hotline/figure-30/memory-that-hugectr-needs-for-syn-m2-on-16-v100/16-gpus-of-16-gib", bytesOf(syn[1]), "of 256 GiB")
	return nil
}

// arithmetic is what the paper's memories hold, and how many lookups its banks do.
func (h hotline) arithmetic(f *Finding) error {
	m := presets("rm3")[0]
	input := 4 * (m.Lookups() + m.DenseWidth() + 1)
	memories := id("hotline", "Section VII", "memories of the accelerator")
	f.add(memories+"/edram-for-16k-inputs", float64(16*kib*input)/mib, "of Criteo")
	f.add(memories+"/hot-rows-of-64-values-in-2m-blocks", float64(hotTable*4*m.Dim)/mib, "")
	f.add(memories+"/eal-of-2m-blocks", float64(hotTable*2)/mib, "")
	f.add("hotline/figure-16/lookups-a-cycle/queue-of-512-64-banks", bankLookups(512, 64), "")
	for _, banks := range []int{16, 32, 128} {
		f.other(fmt.Sprintf("Figure 16: lookups a cycle, queue of 512, %d banks", banks), bankLookups(512, banks), 1, "", "the paper's grid is a picture")
	}
	segregated := published("hotline/figure-7/segregation-on-the-cpu-over-training-on-the-gpus/mini-batches-of-1k-2k-and-4k-inputs-on-1-2-and-4-gpus")
	f.add("hotline/figure-7/gpus-idle-while-the-cpu-segregates/4-gpus", 100**segregated.Value/(1+*segregated.Value), "")
	return nil
}

// bankLookups is how many lookups a queue issues in a cycle: the oldest of each bank, and it
// is filled up again.
func bankLookups(entries, banks int) float64 {
	const cycles = 100_000
	r := detmath.NewStream(1)
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

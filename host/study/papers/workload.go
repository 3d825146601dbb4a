package papers

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Workload is a model, data and sizes on which a paper trains, by name. A file omits zero values.
type Workload struct {
	Name    string
	Model   string `hcl:"model,optional"`  // a preset, changed by the following
	Dim     int    `hcl:"dim,optional"`    // values of a row
	Bottom  []int  `hcl:"bottom,optional"` // widths of the bottom MLP
	Top     []int  `hcl:"top,optional"`
	Tables  int    `hcl:"tables,optional"` // equal tables, instead of the preset's
	Rows    int    `hcl:"rows,optional"`   // rows of each table
	Lookups int    `hcl:"lookups,optional"`
	Sizes   []int  `hcl:"sizes,optional"` // rows of each table, for sizes only

	Clicks  string  `hcl:"clicks,optional"`  // log whose popularity the generated samples reproduce
	Batch   int     `hcl:"batch,optional"`   // samples of a GPU
	Batches int     `hcl:"batches,optional"` // mini-batches of a training
	Inputs  float64 `hcl:"inputs,optional"`  // samples of an epoch

	Popular float64 `hcl:"popular,optional"` // share of popular samples; three quarters by default
	Cold    float64 `hcl:"cold,optional"`    // share of FAE's cold mini-batches; a quarter by default
	HotMB   float64 `hcl:"hot_mb,optional"`  // hot rows of FAE; 512 MiB by default
	Share   float64 `hcl:"share,optional"`   // share of the rows in a cache
	Sets    int     `hcl:"sets,optional"`    // sets of cDLRM's caches
	Window  int     `hcl:"window,optional"`  // window of cDLRM
	Relearn int     `hcl:"relearn,optional"` // relearning period of Hotline, in mini-batches
}

// Case is a workload on some GPUs.
type Case struct {
	Workload
	GPUs, Nodes int
}

// config returns the model of a workload.
func (w Workload) config() (dlrm.Config, error) {
	m := dlrm.Config{Dense: 13, LearningRate: 0.1}
	if w.Model != "" {
		var ok bool
		if m, ok = dlrm.Preset(w.Model); !ok {
			return m, fmt.Errorf("papers: there is no model %q", w.Model)
		}
	}
	if w.Dim > 0 {
		m.Dim = w.Dim
	}
	if w.Bottom != nil {
		m.Bottom, m.Dense = w.Bottom, w.Bottom[0]
	}
	if w.Top != nil {
		m.Top = w.Top
	}
	if w.Rows > 0 {
		m.Tables = nil
		for i := range max(1, w.Tables) {
			m.Tables = append(m.Tables, dlrm.Table{Name: fmt.Sprintf("t%d", i), Rows: w.Rows, Lookups: max(1, w.Lookups)})
		}
	}
	return m, nil
}

// all returns the samples of a mini-batch.
func (c Case) all() int { return c.Batch * c.GPUs * c.Nodes }

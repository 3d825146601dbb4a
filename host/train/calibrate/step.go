package calibrate

import "github.com/hotline-rtl/hotline/host/dlrm"

// denseFeatures is the number of dense features of a sample, as in the Criteo log.
const denseFeatures = 13

// model returns the model that a step trains. The number of rows is nominal, because times do not
// depend on it.
func (s Step) model() dlrm.Config {
	m := dlrm.Config{Name: "step", Dense: denseFeatures, Dim: s.Dim, Bottom: s.Bottom, Top: s.Top, LearningRate: 1}
	for range s.Tables {
		m.Tables = append(m.Tables, dlrm.Table{Rows: 1, Lookups: s.Lookups})
	}
	return m
}

// operators returns the graph of the step.
func (s Step) operators() (list []Operator) {
	add := func(name string, sizes ...int) { list = append(list, Operator{Name: name, Sizes: sizes}) }
	add("pool_rows", s.Tables, s.Batch, s.Lookups, s.Dim)
	add("interaction", s.Batch, s.Tables+1, s.Dim)
	add("loss", s.Batch)
	count := 0
	layers := func(widths []int, inputGradient bool) {
		for i, in := range widths[:len(widths)-1] {
			out := widths[i+1]
			add("product", s.Batch, out, in)
			add("activation", s.Batch, out)
			add("weight_gradient", out, in, s.Batch)
			if i > 0 || inputGradient {
				add("input_gradient", s.Batch, in, out)
			}
			add("update", (in+1)*out)
			count++
		}
	}
	layers(s.Bottom, false)
	layers(append([]int{s.model().TopIn()}, s.Top...), true)
	add("layers", count)
	add("update_rows", s.Tables, s.Batch, s.Lookups, s.Dim)
	return list
}

package checkpoint

import (
	"fmt"
	"iter"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// ExportFormat identifies the format of an export. It changes whenever the format does.
const ExportFormat = "hotline.parameters/1"

// Export writes all parameters, including every row of every table, for other programs. Rows are
// generated during writing, so the export needs disk space but little memory. It returns an error
// if writing fails.
func Export(path string, s *train.State) error {
	training, err := fingerprintOf(s.Model, s.Seed, 0)
	if err != nil {
		return err
	}
	var tensors []safetensors.Tensor
	for t := range s.Net.Tensors() {
		tensors = append(tensors, safetensors.F32(t.Name, t.Shape, t.Values))
	}
	for i, t := range s.Model.Tables {
		tensors = append(tensors, safetensors.F32Rows(fmt.Sprintf("tables.%d.weight", i), []int{t.Rows, s.Model.Dim}, rowsOf(s, i)))
	}
	return safetensors.Write(path, map[string]string{formatKey: ExportFormat, trainingKey: training}, tensors)
}

// rowsOf visits all rows of a table.
func rowsOf(s *train.State, table int) iter.Seq[[]float32] {
	return func(yield func([]float32) bool) {
		row := make([]float32, s.Model.Dim)
		for i := range s.Model.Tables[table].Rows {
			s.Row(table, uint32(i), row)
			if !yield(row) {
				return
			}
		}
	}
}

package train

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Evaluation is the quality of a trained model on inputs that it was not trained on.
type Evaluation struct {
	Inputs   int      `json:"inputs"`
	LogLoss  float64  `json:"log_loss"`
	Accuracy float64  `json:"accuracy"` // fraction of inputs whose rounded probability equals the label
	AUC      *float64 `json:"auc"`      // nil if all labels are equal
	// Calibration is the mean prediction divided by the mean label; nil if all labels are 0.
	Calibration *float64 `json:"calibration"`
}

// Evaluate predicts all inputs of a source with the model of a system, in batches of size inputs.
// It reads each row from its current location and does not change the model.
func Evaluate(s System, source data.Source, size int) (Evaluation, error) {
	batches, err := NewBatches(s.Model(), source, size, 0)
	if err != nil {
		return Evaluation{}, err
	}
	defer batches.Close()
	var scores, labels []float32
	worker := s.Net().Worker()
	for m := 0; ; m++ {
		batch, err := batches.At(m)
		if errors.Is(err, io.EOF) {
			return evaluated(scores, labels)
		}
		if err != nil {
			return Evaluation{}, err
		}
		pooled, err := pool(s, batch)
		if err != nil {
			return Evaluation{}, fmt.Errorf("%s: %w", s.Name(), err)
		}
		p := make([]float32, batch.Len())
		worker.Predict(batch, pooled, p)
		scores, labels = append(scores, p...), append(labels, batch.Labels...)
	}
}

// pool pools the rows of inputs into vectors: inputs x bags x Dim values.
func pool(s System, batch dlrm.Batch) ([]float32, error) {
	model := s.Model()
	size, row := len(model.Bags())*model.Dim, make([]float32, model.Dim)
	pooled := make([]float32, batch.Len()*size)
	var failed error
	for i := range batch.Len() {
		model.PoolSample(pooled[i*size:(i+1)*size], batch.At(i).Sparse, func(table int, index uint32) []float32 {
			if err := s.Row(table, index, row); err != nil && failed == nil {
				failed = err
			}
			return row
		})
	}
	return pooled, failed
}

func evaluated(scores, labels []float32) (e Evaluation, err error) {
	e.Inputs = len(scores)
	if e.LogLoss, err = dlrm.LogLoss(scores, labels); err != nil {
		return e, err
	}
	if e.Accuracy, err = dlrm.Accuracy(scores, labels); err != nil {
		return e, err
	}
	if c, ok := dlrm.Calibration(scores, labels); ok {
		e.Calibration = &c
	}
	auc, err := dlrm.AUC(scores, labels)
	if errors.Is(err, dlrm.ErrOneClass) {
		return e, nil
	}
	e.AUC = &auc
	return e, err
}

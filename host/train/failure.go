package train

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Diverged is the error of a training whose loss, a gradient or a prediction is infinite
// or not a number. It is a result of the training: more of it would not mend the model.
type Diverged struct {
	MiniBatch int
	Err       error
}

func (d *Diverged) Error() string {
	return fmt.Sprintf("diverged in mini-batch %d: %v", d.MiniBatch, d.Err)
}

// Unwrap returns the cause.
func (d *Diverged) Unwrap() error { return d.Err }

// Unmet is the error of a system that cannot train with its configuration, on this model
// or these data. Other systems may.
type Unmet struct{ Err error }

func (u *Unmet) Error() string { return u.Err.Error() }

// Unwrap returns the cause.
func (u *Unmet) Unwrap() error { return u.Err }

// diverged returns an error of mini-batch m, as a *Diverged if it is one.
func diverged(m int, err error) error {
	if dlrm.Diverged(err) {
		return &Diverged{m, err}
	}
	return err
}

// checkLoss reports a loss that is no finite number.
func checkLoss(m int, loss float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return &Diverged{m, fmt.Errorf("the loss is %v", loss)}
	}
	return nil
}

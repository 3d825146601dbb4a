package train

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Diverged is the error of a training whose loss, gradient or prediction is infinite or not a
// number. It is a result of the training: retrying does not help.
type Diverged struct {
	MiniBatch int
	Err       error
}

func (d *Diverged) Error() string {
	return fmt.Sprintf("diverged in mini-batch %d: %v", d.MiniBatch, d.Err)
}

func (d *Diverged) Unwrap() error { return d.Err }

// Unmet is the error of a system that cannot train this model or these data with its configuration.
// Other systems may be able to.
type Unmet struct{ Err error }

func (u *Unmet) Error() string { return u.Err.Error() }

func (u *Unmet) Unwrap() error { return u.Err }

// diverged wraps an error of mini-batch m in a *Diverged if the error reports divergence.
func diverged(m int, err error) error {
	if dlrm.Diverged(err) {
		return &Diverged{m, err}
	}
	return err
}

// checkLoss returns a *Diverged if the loss is not finite.
func checkLoss(m int, loss float64) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return &Diverged{m, fmt.Errorf("the loss is %v", loss)}
	}
	return nil
}

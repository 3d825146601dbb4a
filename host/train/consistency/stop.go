package consistency

import "slices"

// Stop announces that a training has ended before its last mini-batch. Mini-batches that the system
// has begun and has not trained on are no longer in flight.
func (w *Watch) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.underWay = slices.DeleteFunc(w.underWay, func(b *miniBatch) bool { return !slices.Contains(b.trained, true) })
}

package external

import (
	"testing"

	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestModel: the model agrees with the interpreter from a random state. The state includes vectors
// of registers wider than a word, and memories.
func TestModel(t *testing.T) {
	agrees(t, design(t, bundle{}), "model", Model, 3000)
	agrees(t, design(t, simtest.FIFOArray{Lanes: 5, Width: 70, Depth: 4}), "model", Model, 3000)
}

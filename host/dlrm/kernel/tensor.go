package kernel

// Lanes is the number of inputs in a panel.
const Lanes = 32

// Tensor contains the values of some features of many inputs. Each group of Lanes inputs forms a
// panel, which contains one row of Lanes values for each feature. Therefore one instruction
// processes the same feature of several inputs. Lanes after the last input have undefined contents.
type Tensor struct {
	Width  int // number of features
	Panels int
	values []float32
	stride int // number of values from a panel to the next
}

// NewTensor returns a tensor of zeros for up to panels*Lanes inputs.
func NewTensor(width, panels int) Tensor {
	return Tensor{Width: width, Panels: panels, values: make([]float32, width*panels*Lanes), stride: width * Lanes}
}

// Panels returns the number of panels that n inputs need.
func Panels(n int) int { return (n + Lanes - 1) / Lanes }

// Panel returns a panel: Width rows of Lanes values.
func (t Tensor) Panel(p int) []float32 {
	return t.values[p*t.stride:][: t.Width*Lanes : t.Width*Lanes]
}

// At returns a feature of an input.
func (t Tensor) At(input, feature int) float32 {
	return t.Panel(input / Lanes)[feature*Lanes+input%Lanes]
}

// Set replaces a feature of an input.
func (t Tensor) Set(input, feature int, v float32) {
	t.Panel(input / Lanes)[feature*Lanes+input%Lanes] = v
}

// Copy copies the values of another tensor of the same shape.
func (t Tensor) Copy(of Tensor) {
	mustMatch(t, of, t.Width, of.Width)
	for p := range t.Panels {
		copy(t.Panel(p), of.Panel(p))
	}
}

// Clear sets all values to zero.
func (t Tensor) Clear() {
	for p := range t.Panels {
		clear(t.Panel(p))
	}
}

// Features returns a view of the features from, from+1, ..., to-1.
func (t Tensor) Features(from, to int) Tensor {
	t.values, t.Width = t.values[min(from*Lanes, len(t.values)):], to-from
	return t
}

// First returns a view of the first panels.
func (t Tensor) First(panels int) Tensor {
	t.Panels = panels
	return t
}

// loadBlock is the number of features that are transposed at a time. It is small enough for them to
// stay in the cache until all lanes are done.
const loadBlock = 64

// Load fills the tensor with the values of n inputs (n x Width), and the lanes after the last input
// with zeros.
func (t Tensor) Load(src []float32, n int) {
	for p := range t.Panels {
		panel, inputs := t.Panel(p), min(Lanes, n-p*Lanes)
		if inputs < Lanes {
			clear(panel)
		}
		for from := 0; from < t.Width; from += loadBlock {
			to := min(from+loadBlock, t.Width)
			for l := range inputs {
				column := panel[from*Lanes+l:]
				for f, v := range src[(p*Lanes+l)*t.Width:][from:to] {
					column[f*Lanes] = v
				}
			}
		}
	}
}

// Store writes the values of n inputs to dst (n x Width).
func (t Tensor) Store(dst []float32, n int) {
	for p := range t.Panels {
		panel, inputs := t.Panel(p), min(Lanes, n-p*Lanes)
		for from := 0; from < t.Width; from += loadBlock {
			to := min(from+loadBlock, t.Width)
			for l := range inputs {
				column := panel[from*Lanes+l:]
				row := dst[(p*Lanes+l)*t.Width:][from:to]
				for f := range row {
					row[f] = column[f*Lanes]
				}
			}
		}
	}
}

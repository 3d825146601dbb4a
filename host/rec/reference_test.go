package rec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// reference is an independent DLRM in float64: forward pass and loss by the textbook, gradients by central differences. All of
// its parameters are one vector: bottom layers (weights, biases), top layers, then the tables' rows.
type reference struct {
	bottom, top []int // widths, the top's first included
	rows        []int // per table
	dim         int
	theta       []float64
}

// refSample has, per table, any number of lookups.
type refSample struct {
	dense   []float64
	lookups [][]int
	label   float64
}

func (r *reference) mlp(widths []int, theta, x []float64, last func(float64) float64) (y, rest []float64) {
	for l := 1; l < len(widths); l++ {
		in, out := widths[l-1], widths[l]
		w, b := theta[:in*out], theta[in*out:(in+1)*out]
		theta = theta[(in+1)*out:]
		y := make([]float64, out)
		for i := range y {
			y[i] = b[i]
			for j := range x {
				y[i] += w[i*in+j] * x[j]
			}
			if l == len(widths)-1 {
				y[i] = last(y[i])
			} else {
				y[i] = max(y[i], 0)
			}
		}
		x = y
	}
	return x, theta
}

func (r *reference) predict(theta []float64, s refSample) float64 {
	relu := func(v float64) float64 { return max(v, 0) }
	logistic := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	x, afterBottom := r.mlp(r.bottom, theta, s.dense, relu)
	_, tables := r.mlp(r.top, afterBottom, make([]float64, r.top[0]), logistic)

	vectors := [][]float64{x}
	for t, n := range r.rows {
		v := make([]float64, r.dim)
		for _, index := range s.lookups[t] {
			for d := range v {
				v[d] += tables[index*r.dim+d]
			}
		}
		vectors = append(vectors, v)
		tables = tables[n*r.dim:]
	}
	z := append([]float64(nil), x...)
	for i := range vectors {
		for j := range i {
			dot := 0.0
			for d := range r.dim {
				dot += vectors[i][d] * vectors[j][d]
			}
			z = append(z, dot)
		}
	}
	p, _ := r.mlp(r.top, afterBottom, z, logistic)
	return p[0]
}

func squaredError(p, y float64) float64 { return (p - y) * (p - y) }

func binaryCrossEntropy(p, y float64) float64 { return -(y*math.Log(p) + (1-y)*math.Log(1-p)) }

func (r *reference) loss(batch []refSample, each func(p, y float64) float64) float64 {
	sum := 0.0
	for _, s := range batch {
		sum += each(r.predict(r.theta, s), s.label)
	}
	return sum / float64(len(batch))
}

func (r *reference) gradient(batch []refSample, each func(p, y float64) float64) []float64 {
	const h = 1e-6
	grad := make([]float64, len(r.theta))
	for i, v := range r.theta {
		r.theta[i] = v + h
		up := r.loss(batch, each)
		r.theta[i] = v - h
		down := r.loss(batch, each)
		r.theta[i] = v
		grad[i] = (up - down) / (2 * h)
	}
	return grad
}

// The tiny example that the README of facebookresearch/dlrm (MIT licence) prints, with five digits: parameters before and after
// three mini-batches of two inputs, and the losses. Its loss is the squared error, its learning rate 0.01.
var (
	tinyBefore = [][]float64{
		{0.51313, 0.66662, 0.10591, 0.13089, 0.32198, 0.66156, 0.84651, 0.55326, 0.85445, 0.38484, 0.31679, 0.35426},
		{0.17108, 0.82911, 0.33867},
		{0.55237, 0.57855, 0.52153, 0.00269, 0.98835, 0.90534},
		{0.20764, 0.29249},
		{0.52001, 0.90191, 0.98363, 0.25754, 0.56436, 0.80697, 0.39437, 0.73107,
			0.16107, 0.6007, 0.86586, 0.98352, 0.07937, 0.42835, 0.20454, 0.45064,
			0.54776, 0.09333, 0.29686, 0.92758, 0.569, 0.45741, 0.75353, 0.74186,
			0.04858, 0.7087, 0.83924, 0.16594, 0.781, 0.28654, 0.30647, 0.66526},
		{0.11139, 0.66487, 0.88786, 0.69631},
		{0.44033, 0.43821, 0.7651, 0.56564, 0.0849, 0.58267, 0.81484, 0.33707},
		{0.92758, 0.75072},
		{0.57406, 0.75164},
		{0.07915},
		{0.05438, -0.11105, 0.42513, 0.34167, -0.1426, -0.45641, -0.19523, -0.10181},
		{0.23667, 0.57199, -0.16638, 0.30316, 0.10759, 0.22136},
		{-0.49338, -0.14301, -0.36649, -0.22139},
	}
	tinyAfter = [][]float64{
		{0.51313, 0.66663, 0.10591, 0.1309, 0.32196, 0.66154, 0.84649, 0.55324, 0.85444, 0.38482, 0.31677, 0.35425},
		{0.17109, 0.82907, 0.33863},
		{0.55238, 0.57857, 0.52154, 0.00265, 0.98825, 0.90528},
		{0.20764, 0.29244},
		{0.51996, 0.90184, 0.98368, 0.25752, 0.56436, 0.807, 0.39437, 0.73107,
			0.16096, 0.60055, 0.86596, 0.98348, 0.07938, 0.42842, 0.20453, 0.45064,
			0.5476, 0.0931, 0.29701, 0.92752, 0.56902, 0.45752, 0.75351, 0.74187,
			0.04849, 0.70857, 0.83933, 0.1659, 0.78101, 0.2866, 0.30646, 0.66526},
		{0.11137, 0.66482, 0.88778, 0.69627},
		{0.44029, 0.43816, 0.76502, 0.56561, 0.08485, 0.5826, 0.81474, 0.33702},
		{0.92754, 0.75067},
		{0.57379, 0.7514},
		{0.07908},
		{0.0543, -0.1112, 0.42513, 0.34167, -0.14283, -0.45679, -0.19532, -0.10197},
		{0.23667, 0.57199, -0.1666, 0.30285, 0.10751, 0.22124},
		{-0.49338, -0.14301, -0.36664, -0.22164},
	}
	tinyBatches = [][]refSample{
		{
			{[]float64{0.69647, 0.28614, 0.22685, 0.55131}, [][]int{{1}, {0}, {1}}, 0.55679},
			{[]float64{0.71947, 0.42311, 0.98076, 0.68483}, [][]int{{0, 1}, {1}, {0}}, 0.15896},
		},
		{
			{[]float64{0.36179, 0.22826, 0.29371, 0.63098}, [][]int{{1}, {1}, {1}}, 0.15307},
			{[]float64{0.0921, 0.4337, 0.43086, 0.49369}, [][]int{{0, 2, 3}, {1, 2}, {1}}, 0.69553},
		},
		{
			{[]float64{0.60306, 0.54507, 0.34276, 0.30412}, [][]int{{2}, {1}, {1}}, 0.31877},
			{[]float64{0.41702, 0.6813, 0.87546, 0.51042}, [][]int{{0, 1, 2}, {2}, {1}}, 0.69197},
		},
	}
	tinyLosses = []float64{0.451893, 0.402002, 0.275460}
)

func newTiny() *reference {
	r := &reference{bottom: []int{4, 3, 2}, top: []int{8, 4, 2, 1}, rows: []int{4, 3, 2}, dim: 2}
	for _, values := range tinyBefore {
		r.theta = append(r.theta, values...)
	}
	return r
}

func TestReferenceReproducesPublishedExample(t *testing.T) {
	r := newTiny()
	for i, batch := range tinyBatches {
		require.InDelta(t, tinyLosses[i], r.loss(batch, squaredError), 1e-5, "mini-batch %d", i)
		for k, g := range r.gradient(batch, squaredError) {
			r.theta[k] -= 0.01 * g
		}
	}
	at := 0
	for _, values := range tinyAfter {
		for _, want := range values {
			require.InDelta(t, want, r.theta[at], 1.2e-5, "parameter %d", at)
			at++
		}
	}
}

// tinyNet is the model of the example with its initial parameters.
func tinyNet(t *testing.T) *Net {
	n, err := NewNet(Config{
		Dense: 4, Dim: 2, Bottom: []int{4, 3, 2}, Top: []int{4, 2, 1}, LearningRate: 0.01,
		Tables: []Table{{"a", 4, 1}, {"b", 3, 1}, {"c", 2, 1}},
	}, 1)
	require.NoError(t, err)
	i := 0
	for name, values := range n.Params() {
		require.Len(t, values, len(tinyBefore[i]), name)
		for k, v := range tinyBefore[i] {
			values[k] = float32(v)
		}
		i++
	}
	return n
}

func TestForwardReproducesPublishedLoss(t *testing.T) {
	n := tinyNet(t)
	w, p := n.Worker(), make([]float32, 1)
	loss := 0.0
	for _, s := range tinyBatches[0] {
		pooled := make([]float32, 0, 6)
		for table, lookups := range s.lookups {
			values := tinyBefore[10+table]
			var rows [][]float32
			for _, index := range lookups {
				rows = append(rows, []float32{float32(values[2*index]), float32(values[2*index+1])})
			}
			v := make([]float32, 2)
			Pool(v, rows...)
			pooled = append(pooled, v...)
		}
		dense := make([]float32, 4)
		for i, x := range s.dense {
			dense[i] = float32(x)
		}
		w.Predict(Batch{Dense: dense, Labels: make([]float32, 1)}, pooled, p)
		loss += squaredError(float64(p[0]), s.label) / 2
	}
	require.InDelta(t, tinyLosses[0], loss, 1e-5)
}

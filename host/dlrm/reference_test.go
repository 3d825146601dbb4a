package dlrm

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// reference is an independent model in float64, with a textbook forward pass and loss, and
// gradients by central differences. Its parameters form one vector: the parts of the network in
// order (weights, biases), then the tables' rows.
type reference struct {
	cfg   Config
	theta []float64
}

// refSample has dense features for each time step. For each time step and table it has any number
// of lookups.
type refSample struct {
	dense   [][]float64
	lookups [][][]int
	label   float64
}

func relu(v float64) float64 { return max(v, 0) }

func logistic(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// mlp runs layers with these widths. Their parameters are at the beginning of theta.
func mlp(widths []int, theta, x []float64, last func(float64) float64) []float64 {
	for l := 1; l < len(widths); l++ {
		in, out := widths[l-1], widths[l]
		w, b := theta[:in*out], theta[in*out:(in+1)*out]
		theta = theta[(in+1)*out:]
		y := make([]float64, out)
		for i := range y {
			y[i] = b[i] + dot(w[i*in:(i+1)*in], x)
			if l == len(widths)-1 {
				y[i] = last(y[i])
			} else {
				y[i] = relu(y[i])
			}
		}
		x = y
	}
	return x
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// refParams contains the parameters, part by part.
type refParams struct{ bottom, top, a, attention, head, tables []float64 }

func (r *reference) params(theta []float64) (p refParams) {
	take := func(widths ...int) []float64 {
		n := 0
		for l := 1; l < len(widths); l++ {
			n += (widths[l-1] + 1) * widths[l]
		}
		var part []float64
		part, theta = theta[:n], theta[n:]
		return part
	}
	c := r.cfg
	p.bottom, p.top = take(c.Bottom...), take(r.topWidths()...)
	if c.Kind == TBSM {
		m := c.Top[len(c.Top)-1]
		p.a, theta = theta[:m*m], theta[m*m:]
		p.attention, p.head = take(append([]int{c.Steps - 1}, c.Attention...)...), take(append([]int{2 * m}, c.Head...)...)
	}
	p.tables = theta
	return p
}

func (r *reference) topWidths() []int {
	f := len(r.cfg.Tables) + 1
	return append([]int{f*(f-1)/2 + r.cfg.Dim}, r.cfg.Top...)
}

// tower computes a DLRM up to its last layer.
func (r *reference) tower(p refParams, dense []float64, lookups [][]int, last func(float64) float64) []float64 {
	x := mlp(r.cfg.Bottom, p.bottom, dense, relu)
	vectors, tables := [][]float64{x}, p.tables
	for t, table := range r.cfg.Tables {
		v := make([]float64, r.cfg.Dim)
		for _, index := range lookups[t] {
			for d := range v {
				v[d] += tables[index*r.cfg.Dim+d]
			}
		}
		vectors = append(vectors, v)
		tables = tables[table.Rows*r.cfg.Dim:]
	}
	z := append([]float64(nil), x...)
	for i := range vectors {
		for j := range i {
			z = append(z, dot(vectors[i], vectors[j]))
		}
	}
	return mlp(r.topWidths(), p.top, z, last)
}

func (r *reference) predict(theta []float64, s refSample) float64 {
	p := r.params(theta)
	if r.cfg.Kind == DLRM {
		return r.tower(p, s.dense[0], s.lookups[0], logistic)[0]
	}
	var h [][]float64
	for step := range s.dense {
		v := r.tower(p, s.dense[step], s.lookups[step], relu)
		length := math.Sqrt(dot(v, v))
		for i := range v {
			v[i] /= max(length, 1e-12)
		}
		h = append(h, v)
	}
	w, history := h[len(h)-1], h[:len(h)-1]
	m := len(w)
	x := make([]float64, m)
	for i := range m { // transpose(A)*A*w
		aw := dot(p.a[i*m:(i+1)*m], w)
		for k := range x {
			x[k] += p.a[i*m+k] * aw
		}
	}
	var products []float64
	for _, v := range history {
		products = append(products, dot(v, x))
	}
	y := mlp(append([]int{len(history)}, r.cfg.Attention...), p.attention, products, logistic)
	in := make([]float64, m, 2*m)
	for j, v := range history {
		for i := range v {
			in[i] += y[j] * v[i]
		}
	}
	return mlp(append([]int{2 * m}, r.cfg.Head...), p.head, append(in, w...), logistic)[0]
}

func (r *reference) loss(batch []refSample) float64 {
	sum := 0.0
	for _, s := range batch {
		p, y := r.predict(r.theta, s), s.label
		if r.cfg.Loss == MSE {
			sum += (p - y) * (p - y)
		} else {
			sum -= y*math.Log(p) + (1-y)*math.Log(1-p)
		}
	}
	return sum / float64(len(batch))
}

func (r *reference) gradient(batch []refSample) []float64 {
	const h = 1e-6
	grad := make([]float64, len(r.theta))
	for i, v := range r.theta {
		r.theta[i] = v + h
		up := r.loss(batch)
		r.theta[i] = v - h
		down := r.loss(batch)
		r.theta[i] = v
		grad[i] = (up - down) / (2 * h)
	}
	return grad
}

// The tiny example that the README of facebookresearch/dlrm (MIT licence) prints, with five digits:
// parameters before and after three mini-batches of two inputs, and the losses. Its loss is the
// squared error, its learning rate 0.01.
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
			{[][]float64{{0.69647, 0.28614, 0.22685, 0.55131}}, [][][]int{{{1}, {0}, {1}}}, 0.55679},
			{[][]float64{{0.71947, 0.42311, 0.98076, 0.68483}}, [][][]int{{{0, 1}, {1}, {0}}}, 0.15896},
		},
		{
			{[][]float64{{0.36179, 0.22826, 0.29371, 0.63098}}, [][][]int{{{1}, {1}, {1}}}, 0.15307},
			{[][]float64{{0.0921, 0.4337, 0.43086, 0.49369}}, [][][]int{{{0, 2, 3}, {1, 2}, {1}}}, 0.69553},
		},
		{
			{[][]float64{{0.60306, 0.54507, 0.34276, 0.30412}}, [][][]int{{{2}, {1}, {1}}}, 0.31877},
			{[][]float64{{0.41702, 0.6813, 0.87546, 0.51042}}, [][][]int{{{0, 1, 2}, {2}, {1}}}, 0.69197},
		},
	}
	tinyLosses = []float64{0.451893, 0.402002, 0.275460}
)

// tinyConfig returns the model of the example. Its inputs read one or several rows of a table.
func tinyConfig() Config {
	return Config{
		Dense: 4, Dim: 2, Bottom: []int{4, 3, 2}, Top: []int{4, 2, 1}, Loss: MSE, LearningRate: 0.01,
		Tables: []Table{{"a", 4, 1}, {"b", 3, 1}, {"c", 2, 1}},
	}
}

func requireTinyAfter(t *testing.T, got []float64) {
	at := 0
	for _, values := range tinyAfter {
		for _, want := range values {
			require.InDelta(t, want, got[at], 1.2e-5, "parameter %d", at)
			at++
		}
	}
	require.Len(t, got, at)
}

func TestReferenceReproducesPublishedExample(t *testing.T) {
	r := &reference{cfg: tinyConfig(), theta: slices.Concat(tinyBefore...)}
	for i, batch := range tinyBatches {
		require.InDelta(t, tinyLosses[i], r.loss(batch), 1e-5, "mini-batch %d", i)
		for k, g := range r.gradient(batch) {
			r.theta[k] -= 0.01 * g
		}
	}
	requireTinyAfter(t, r.theta)
}

// tinyModel returns the example with its initial parameters, in float32.
func tinyModel(t *testing.T) *model {
	m := newModel(t, tinyConfig(), 1)
	narrow := func(dst []float32, values []float64) {
		require.Len(t, dst, len(values))
		for i, v := range values {
			dst[i] = float32(v)
		}
	}
	i := 0
	for _, values := range m.net.Params() {
		narrow(values, tinyBefore[i])
		i++
	}
	for table, values := range tinyBefore[i:] {
		for index := range len(values) / 2 {
			narrow(m.row(table, uint32(index)), values[2*index:][:2])
		}
	}
	return m
}

// TestTrainingReproducesPublishedExample trains on the example. Its inputs read different numbers
// of rows, so each input has its own bags.
func TestTrainingReproducesPublishedExample(t *testing.T) {
	m := tinyModel(t)
	for i, samples := range tinyBatches {
		var b Batch
		var pooled []float32
		for _, s := range samples {
			b.Labels = append(b.Labels, float32(s.label))
			for _, x := range s.dense[0] {
				b.Dense = append(b.Dense, float32(x))
			}
			for table, lookups := range s.lookups[0] {
				var rows [][]float32
				for _, index := range lookups {
					rows = append(rows, m.row(table, uint32(index)))
				}
				v := make([]float32, 2)
				Pool(v, rows...)
				pooled = append(pooled, v...)
			}
		}
		g, rg, dPooled := m.net.NewGradients(), NewRowGrads(2), make([]float32, len(pooled))
		m.net.Worker().Train(b, pooled, 2, g, make([]float32, 2), dPooled)
		for k, s := range samples {
			one, bags := Batch{Labels: []float32{0}}, []Bag(nil)
			for table, lookups := range s.lookups[0] {
				bags = append(bags, Bag{table, len(lookups)})
				for _, index := range lookups {
					one.Sparse = append(one.Sparse, uint32(index))
				}
			}
			rg.AddBatch(bags, one, dPooled[6*k:][:6])
		}
		loss, err := g.Loss()
		require.NoError(t, err)
		require.InDelta(t, tinyLosses[i], loss, 1e-5, "mini-batch %d", i)
		m.apply(t, g, rg)
	}
	requireTinyAfter(t, toReference(m).theta)
}

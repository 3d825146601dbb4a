package experiment_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// logged is the number of inputs of the log of inEpochs.
const logged = 200

// inEpochs returns a job on a log. Each epoch has 150 inputs, 4.7 mini-batches.
func inEpochs(t testing.TB, change func(*configs.Training)) experiment.Job {
	j := newJob(t, func(c *configs.Config) {
		c.Training.Batches, c.Training.Epochs, c.Training.Shuffle, c.Training.HeldOut = 0, 3, 64, 0.25
		if change != nil {
			change(c.Training)
		}
	})
	j.Accelerator = experiment.Functional(*j.Config.Accelerator)
	inputs, err := datatest.Read(j.Data, logged)
	require.NoError(t, err)
	for i := range inputs {
		inputs[i].Dense[0] = float32(i) / logged
	}
	j.Data = datatest.Source("log", j.Data.Shape(), inputs)
	return j
}

// numbers returns the numbers of the inputs of a source in the log.
func numbers(t testing.TB, s data.Source) (list []int) {
	inputs, err := datatest.Read(s, 0)
	require.NoError(t, err)
	for _, in := range inputs {
		list = append(list, inLog(in.Dense[0]))
	}
	return list
}

func inLog(dense float32) int { return int(dense*logged + 0.5) }

// disjoint returns an error unless each epoch has the same inputs once, and none of them is held out.
func disjoint(train, held []int, epochs int) error {
	once := slices.Sorted(slices.Values(train[:len(train)/epochs]))
	for e := range epochs {
		if epoch := train[e*len(once) : (e+1)*len(once)]; !slices.Equal(once, slices.Sorted(slices.Values(epoch))) {
			return fmt.Errorf("epoch %d has other inputs", e)
		}
	}
	for i, n := range once {
		if i > 0 && once[i-1] == n {
			return fmt.Errorf("input %d occurs twice in an epoch", n)
		}
		if slices.Contains(held, n) {
			return fmt.Errorf("input %d is trained on and held out", n)
		}
	}
	return nil
}

// TestSets: each epoch trains on the same inputs, and on no held-out input. The control has one
// held-out input among the training inputs.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		name          string
		change        func(*configs.Training)
		trained, held int
	}{
		{"share", nil, 150, 50},
		{"number", func(t *configs.Training) { t.HeldOut = 33 }, 167, 33},
		{"none", func(t *configs.Training) { t.HeldOut = 0 }, 200, 0},
		{"order of the data", func(t *configs.Training) { t.Shuffle = 0 }, 150, 50},
		{"one window", func(t *configs.Training) { t.Shuffle = 1000 }, 150, 50},
		{"first mini-batches", func(t *configs.Training) { t.Batches = 3 }, 96, 32},
		{"first mini-batches and a number", func(t *configs.Training) { t.Batches, t.HeldOut = 3, 20 }, 96, 20},
		{"more mini-batches than there are", func(t *configs.Training) { t.Batches = 30 }, 150, 50},
		{"random", func(t *configs.Training) { t.Split = configs.SplitRandom }, 150, 50},
		{"almost all", func(t *configs.Training) { t.HeldOut, t.Batches = 1-1e-16, 3 }, 1, 199},
		{"random, first mini-batches", func(t *configs.Training) { t.Split, t.Batches = configs.SplitRandom, 3 }, 93, 35},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := inEpochs(t, c.change)
			require.NoError(t, j.Check())
			train, test, err := j.Sets()
			require.NoError(t, err)
			order := numbers(t, train)
			require.Len(t, order, 3*c.trained)
			var held []int
			if c.held > 0 {
				held = numbers(t, test)
			}
			require.Len(t, held, c.held)
			require.NoError(t, disjoint(order, held, 3))
			if j.Config.Training.Split == configs.SplitLast {
				for i, n := range held {
					require.Equal(t, c.trained+i, n, "the training inputs come first")
				}
			}
			require.EqualError(t, disjoint(order, append(held, order[0]), 3), fmt.Sprintf("input %d is trained on and held out", order[0]))
			require.Equal(t, j.Config.Training.Shuffle > 0 && c.trained > 1, !slices.Equal(order[:c.trained], order[c.trained:2*c.trained]), "epochs have orders of their own")
		})
	}
}

// TestSetsOfStream: without a known length, there is one epoch, which can be shuffled.
func TestSetsOfStream(t *testing.T) {
	stream := func(change func(*configs.Training)) (experiment.Job, error) {
		j := inEpochs(t, func(t *configs.Training) { t.Epochs, t.HeldOut, t.Batches = 1, 0, 3; change(t) })
		j.Data = endless{j.Data}
		return j, j.Check()
	}
	j, err := stream(func(t *configs.Training) { t.HeldOut = 0.25 })
	require.NoError(t, err)
	train, held, err := j.Sets()
	require.NoError(t, err)
	require.Len(t, numbers(t, train), 96)
	require.Len(t, numbers(t, held), 32)
	require.NoError(t, disjoint(numbers(t, train), numbers(t, held), 1))

	_, err = stream(func(t *configs.Training) { t.Epochs = 2 })
	require.EqualError(t, err, "testdata/tiny.hcl:31: epochs is 2, but how many inputs log has is not known; index it by a first pass, or train for 1 epoch")
	_, err = stream(func(t *configs.Training) { t.HeldOut, t.Batches = 0.1, 0 })
	require.EqualError(t, err, "experiment: how many inputs log has is not known, so a share of them cannot be held out: say how many mini-batches to train on")
	_, err = stream(func(t *configs.Training) { t.HeldOut, t.Split = 0.1, configs.SplitRandom })
	require.EqualError(t, err, "experiment: log, inputs 0 to 107: it is not known how many inputs there are, so none can be held out at random; hold out the last, or index the log by a first pass")
	_, err = stream(func(t *configs.Training) { t.HeldOut, t.Split = 10, configs.SplitRandom })
	require.EqualError(t, err, `testdata/tiny.hcl:31: held_out is 10; expected a share below 1, because split is "random"`)
	_, err = stream(func(t *configs.Training) { t.Patience = 3 })
	require.EqualError(t, err, "testdata/tiny.hcl:31: patience is 3, but no samples are held out; set held_out")
}

// endless is a source of unknown length.
type endless struct{ data.Source }

func (endless) Len() (int64, bool) { return 0, false }

// TestOrderDependsOnSeed: the order of a run depends on the seed and the window, and on nothing
// else in the configuration.
func TestOrderDependsOnSeed(t *testing.T) {
	order := func(change func(*configs.Training)) []int {
		train, _, err := inEpochs(t, change).Sets()
		require.NoError(t, err)
		return numbers(t, train)
	}
	want := order(nil)
	require.Equal(t, want, order(nil))
	require.Equal(t, want, order(func(t *configs.Training) { t.GPUs, t.Nodes, t.Batch, t.Relearn, t.Patience = 4, 2, 17, 1, 5 }))
	require.Equal(t, want[:300], order(func(t *configs.Training) { t.Epochs = 2 }))
	require.NotEqual(t, want, order(func(t *configs.Training) { t.Seed = 2 }))
	require.NotEqual(t, want, order(func(t *configs.Training) { t.Shuffle = 65 }))
}

// TestEpochs: all systems train on the same order in several epochs. Those that guarantee
// sequential training are bit-identical and have equal evaluations, and no check finds anything.
func TestEpochs(t *testing.T) {
	j := inEpochs(t, nil)
	j.Systems, j.Watch = catalog.Systems(), true
	r := run(t, j)
	require.NoError(t, r.Err())
	require.Empty(t, r.Broken())
	require.Empty(t, r.Difference())
	first := r.Systems[0]
	for _, s := range r.Systems {
		require.Equal(t, 450, s.Inputs, s.System)
		var epochs []int
		for _, e := range s.Evaluations {
			epochs = append(epochs, e.Epoch)
			require.Equal(t, 50, e.Inputs)
		}
		require.Equal(t, []int{1, 2, 3}, epochs, s.System)
		if s.Promise == registry.Sequential.String() {
			require.True(t, *s.Identical)
			require.Equal(t, first.Evaluations, s.Evaluations, s.System)
		}
	}
	require.Equal(t, []int{5, 10, 15}, []int{first.Evaluations[0].MiniBatch, first.Evaluations[1].MiniBatch, first.Evaluations[2].MiniBatch})
	require.Equal(t, first.Evaluations[2].Evaluation, *first.HeldOut)
	require.NotEqual(t, first.Evaluations[0].LogLoss, first.Evaluations[1].LogLoss)
}

// TestEarlyStop: after patience epochs without a lower loss, every system stops, with the model that
// a run without patience has then. No check finds anything.
func TestEarlyStop(t *testing.T) {
	const epochs, patience = 12, 2
	j := inEpochs(t, func(t *configs.Training) { t.Epochs, t.Patience = epochs, patience })
	j.Systems, j.Watch = catalog.Systems(), true
	r := run(t, j)
	require.NoError(t, r.Err())
	require.Empty(t, r.Broken())
	require.Empty(t, r.Difference())
	whole := inEpochs(t, func(t *configs.Training) { t.Epochs = epochs })
	whole.Systems = j.Systems
	w := run(t, whole)
	for i, s := range r.Systems {
		n := len(s.Evaluations)
		require.Less(t, n, epochs, s.System)
		require.Equal(t, w.Systems[i].Evaluations[:n], s.Evaluations, s.System)
		require.Equal(t, s.Evaluations[n-1].Evaluation, *s.HeldOut)
		lowest := 0
		for i, e := range s.Evaluations {
			require.Equal(t, i+1, e.Epoch, s.System)
			if e.LogLoss < s.Evaluations[lowest].LogLoss {
				lowest = i
			}
		}
		require.Equal(t, patience, n-1-lowest, s.System)
		require.Equal(t, report.EarlyStop{Epoch: n, Lowest: lowest + 1}, *s.EarlyStop)
		require.Len(t, w.Systems[i].Evaluations, epochs)
	}
}

// TestPageOfEpochs: timelines of any epoch can be drawn, also if some systems stop before it.
func TestPageOfEpochs(t *testing.T) {
	last := func(patience, m int) (*report.Report, error) {
		j := inEpochs(t, func(t *configs.Training) { t.Epochs, t.Patience = 12, patience })
		j.Systems, j.HTML, j.Drawn = catalog.Systems(), true, []int{m}
		return experiment.Run(t.Context(), j)
	}
	_, err := last(2, 57)
	require.EqualError(t, err, "experiment: the timelines of mini-batch 57 cannot be drawn; expected 0 to 56")
	for _, m := range []int{17, 56} {
		r, err := last(2, m)
		require.NoError(t, err)
		reporttest.Text(t, pageOf(t, r))
	}
}

// TestResumeInEpoch: a run that resumes in the middle of an epoch, on another system, gives the same
// bytes as an uninterrupted run, and stops after the same epoch.
func TestResumeInEpoch(t *testing.T) {
	patient := func(t *configs.Training) { t.Epochs, t.Patience = 30, 2 }
	dir := t.TempDir()
	path := func(name any) string { return filepath.Join(dir, fmt.Sprint(name)) }
	j := inEpochs(t, patient)
	j.SaveEvery = 1
	var last int
	j.Save = func(c *checkpoint.Checkpoint, end bool) error {
		last = c.MiniBatches
		return checkpoint.Write(path(c.MiniBatches), c)
	}
	whole := run(t, j)
	require.Greater(t, last, 15)
	want, err := os.ReadFile(path(last))
	require.NoError(t, err)
	for _, at := range []int{1, 7, 10, last - 1} { // 10 mini-batches end the second epoch
		rest := inEpochs(t, patient)
		rest.Systems = rest.Systems[1:]
		rest.From, err = rest.Resume(path(at))
		require.NoError(t, err)
		rest.Save = func(c *checkpoint.Checkpoint, _ bool) error { return checkpoint.Write(path("again"), c) }
		r := run(t, rest)
		got, err := os.ReadFile(path("again"))
		require.NoError(t, err)
		require.Equal(t, want, got, "from mini-batch %d", at)
		n := len(r.Systems[0].Evaluations)
		require.Equal(t, whole.Systems[0].Evaluations[len(whole.Systems[0].Evaluations)-n:], r.Systems[0].Evaluations)
		require.Equal(t, whole.Systems[0].EarlyStop, r.Systems[0].EarlyStop)
	}

	_, err = inEpochs(t, patient).Resume(path(last))
	require.EqualError(t, err, path(last)+": the training has stopped after 2 epochs without a lower held-out loss; ask for more patience than 2")
	_, err = inEpochs(t, func(t *configs.Training) { t.Epochs, t.Patience = 30, 3 }).Resume(path(last))
	require.NoError(t, err)
	_, err = inEpochs(t, func(t *configs.Training) { t.Epochs, t.Shuffle = 30, 65 }).Resume(path(7))
	require.ErrorContains(t, err, "the inputs of mini-batch 7 of log are not those that the model was trained on")
}

// TestExportOfEpochs: a training on the exported inputs, in their order, repeats a run of several
// shuffled epochs.
func TestExportOfEpochs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "inputs")
	j := inEpochs(t, nil)
	j.Begin = func(from *train.State, b *train.Batches) error { return checkpoint.ExportInputs(file, from, b) }
	want := saved(t, j)

	f, err := safetensors.Read(file)
	require.NoError(t, err)
	width := j.Data.Shape().Dense
	dense, err := f.F32("dense", 450, width)
	require.NoError(t, err)
	logged, err := datatest.Read(j.Data, 0)
	require.NoError(t, err)
	var exported []dlrm.Sample
	for i := range 450 {
		in := logged[inLog(dense[i*width])]
		require.Equal(t, in.Dense, dense[i*width:(i+1)*width])
		exported = append(exported, in)
	}
	again := inEpochs(t, func(t *configs.Training) { t.Epochs, t.Shuffle, t.HeldOut = 1, 0, 0 })
	again.Data = datatest.Source("exported", j.Data.Shape(), exported)
	require.Equal(t, want, saved(t, again))
	require.Equal(t, "log, inputs 0 to 150, shuffled in windows of 64, 3 epochs", f.Metadata["data"])

	again.Config.Training.Shuffle = 64
	require.NotEqual(t, want, saved(t, again), "the order matters")
}

// saved returns the dense parameters at the end of a run.
func saved(t *testing.T, j experiment.Job) (net [][]float32) {
	j.Save = func(c *checkpoint.Checkpoint, _ bool) error {
		for tensor := range c.Net.Tensors() {
			net = append(net, tensor.Values)
		}
		for _, rows := range c.Tables {
			net = append(net, rows.Values)
		}
		return nil
	}
	run(t, j)
	return net
}

// TestShuffledLabels: labels that are unrelated to their inputs cannot be learned: the held-out AUC
// is 1/2, within four standard deviations. The same training learns the real labels.
func TestShuffledLabels(t *testing.T) {
	const n, held = 6000, 2000
	auc := func(mixed bool) float64 {
		j := functional(t, func(c *configs.Config) {
			c.Training.Batches, c.Training.Epochs, c.Training.Shuffle, c.Training.HeldOut = 0, 2, n, held
			c.Model.LearningRate = 0.1
		})
		j.Systems = j.Systems[:1]
		inputs, err := datatest.Read(j.Data, n)
		require.NoError(t, err)
		labels, err := datatest.Read(j.Data, n)
		require.NoError(t, err)
		for i := range inputs {
			if mixed {
				inputs[i].Label = labels[(i*3571+977)%n].Label
			}
		}
		j.Data = datatest.Source("log", j.Data.Shape(), inputs)
		return *run(t, j).Systems[0].HeldOut.AUC
	}
	const deviation = 0.013 // of a random order, for a quarter of clicks
	require.InDelta(t, 0.5, auc(true), 4*deviation)
	require.Greater(t, auc(false), 0.5+8*deviation)
}

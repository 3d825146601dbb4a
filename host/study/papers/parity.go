package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
)

// parity is an experiment that trains with values, which takes minutes.
func parity(name string, run func(ctx context.Context, f *Finding) error) experiment {
	return lengthy(counting(name, func(ctx context.Context) (f Finding, err error) {
		err = run(ctx, &f)
		return f, err
	}))[0]
}

// heldOut is how many inputs behind those of a training are predicted.
const heldOut = 50_000

// predictor is rm2 with smaller MLPs, trained on clicks like Kaggle's.
func predictor(gpus, batch, inputs int) (training, error) {
	t, err := trainingOf("rm2", gpus, batch/gpus, inputs/batch)
	t.model.Bottom, t.model.Top, t.values = []int{13, 64, 16}, []int{64, 1}, true
	return t, err
}

// predicts is how well a system predicts what it was not trained on.
func (t training) predicts(ctx context.Context, c constructor) (train.Evaluation, error) {
	o, err := t.run(ctx, c, nil)
	if err != nil {
		return train.Evaluation{}, err
	}
	behind := int64(t.gpus * t.batch * t.batches)
	test, err := data.Range(t.clicks, behind, behind+heldOut)
	if err != nil {
		return train.Evaluation{}, err
	}
	return train.Evaluate(o.system, test, 4096)
}

func hybridSystem(s *server.Server, from *train.State) (train.System, error) {
	return hybrid.New(s, from), nil
}

// beside trains the baseline and another system alike.
func (t training) beside(ctx context.Context, c constructor) (base, other train.Evaluation, of string, err error) {
	if base, err = t.predicts(ctx, hybridSystem); err != nil {
		return base, other, of, err
	}
	other, err = t.predicts(ctx, c)
	of = fmt.Sprintf("accuracy %.2f %% and %.2f %%, log-loss %.4f and %.4f, of %d inputs behind %d that were trained on", 100*other.Accuracy, 100*base.Accuracy, other.LogLoss, base.LogLoss, heldOut, t.gpus*t.batch*t.batches)
	return base, other, of, err
}

// trainedInputs are as many as train in a minute or two.
const trainedInputs = 200_000

func faeParity(ctx context.Context, f *Finding) error {
	t, err := predictor(1, 256, trainedInputs)
	if err != nil {
		return err
	}
	base, other, of, err := t.beside(ctx, func(s *server.Server, from *train.State) (train.System, error) {
		return fae.New(s, from, fae.DefaultOptions())
	})
	if err != nil {
		return err
	}
	t.batches /= 2
	halfBase, half, _, err := t.beside(ctx, func(s *server.Server, from *train.State) (train.System, error) {
		return fae.New(s, from, fae.DefaultOptions())
	})
	if err != nil {
		return err
	}
	accuracy := func(a, b train.Evaluation) float64 { return 100 * (a.Accuracy - b.Accuracy) }
	loss := func(a, b train.Evaluation) float64 { return a.LogLoss - b.LogLoss }
	for what, off := range map[string]func(a, b train.Evaluation) float64{"accuracy": accuracy, "log-loss": loss} {
		before, after := off(half, halfBase), off(other, base)
		longer := fmt.Sprintf("it goes away with inputs: %.2g after half as many", before)
		f.add(id("fae", "Table 4", what+" of FAE off that of XDL", "Kaggle"), after, of, towards(before, after, 0, longer)...)
	}
	return nil
}

func cdlrmParity(ctx context.Context, f *Finding) error {
	t, err := predictor(1, 256, trainedInputs)
	if err != nil {
		return err
	}
	base, other, of, err := t.beside(ctx, cdlrmSystem(cdlrm.Options{Window: 8, Sets: 5000, Ways: 16, Lambda: 1}))
	if err != nil {
		return err
	}
	f.add("cdlrm/table-1b/accuracy-of-cdlrm-off-that-of-dlrm/kaggle", 100*(other.Accuracy-base.Accuracy), of)
	return nil
}

// lambdaParts are parts of the inputs that are predicted, whose figures tell how sure one is.
const lambdaParts = 10

// cdlrmLambda is what rarer averages cost with small and with large mini-batches.
func cdlrmLambda(ctx context.Context, f *Finding) error {
	costs := make([][]float64, 2) // by part
	for i, batch := range []int{128, 1024} {
		t, err := predictor(4, batch, trainedInputs/2)
		if err != nil {
			return err
		}
		t.model.LearningRate = 0.8 * float32(batch) / 8192 // that of the authors' program, in proportion
		often, err := t.accuracies(ctx, cdlrmSystem(cdlrm.Options{Window: 8, Sets: 5000, Ways: 16, Lambda: 1}))
		if err != nil {
			return err
		}
		rarely, err := t.accuracies(ctx, cdlrmSystem(cdlrm.Options{Window: 8, Sets: 5000, Ways: 16, Lambda: 8}))
		if err != nil {
			return err
		}
		for j := range often {
			costs[i] = append(costs[i], often[j]-rarely[j])
		}
	}
	var more []float64
	for j := range costs[0] {
		more = append(more, costs[1][j]-costs[0][j])
	}
	mean, off := average(more), standardError(more)
	var because []string
	if math.Abs(mean) < 2*off {
		because = []string{fmt.Sprintf("it is within twice the standard error of %.3f points, from %d parts of the inputs", off, lambdaParts)}
	}
	f.add("cdlrm/figure-4c/accuracy-lost-where-caches-are-averaged-more-rarely/larger-lambda-is-better-borne-by-small-mini-batches", mean,
		fmt.Sprintf("lost %.2f points with 1,024 inputs, %.2f with 128; a standard error of %.3f", average(costs[1]), average(costs[0]), off), because...)
	return nil
}

// accuracies are those of a system, in percent, on parts of what it was not trained on.
func (t training) accuracies(ctx context.Context, c constructor) (list []float64, err error) {
	o, err := t.run(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	behind := int64(t.gpus * t.batch * t.batches)
	for range lambdaParts {
		part, err := data.Range(t.clicks, behind, behind+heldOut/lambdaParts)
		if err != nil {
			return nil, err
		}
		e, err := train.Evaluate(o.system, part, 4096)
		if err != nil {
			return nil, err
		}
		list, behind = append(list, 100*e.Accuracy), behind+heldOut/lambdaParts
	}
	return list, nil
}

// standardError is that of the mean of values.
func standardError(values []float64) float64 {
	mean, squares := average(values), 0.
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	n := float64(len(values))
	return math.Sqrt(squares / (n - 1) / n)
}

func elrecParity(ctx context.Context, f *Finding) error {
	t, err := predictor(1, 256, trainedInputs)
	if err != nil {
		return err
	}
	o := elrec.DefaultOptions()
	o.Rank = 16 // of the paper's 128, whose products take 64 times as many operations
	base, other, of, err := t.beside(ctx, elrecSystem(o))
	if err != nil {
		return err
	}
	f.add("elrec/table-iv/accuracy-of-el-rec-below-that-of-dlrm/kaggle", 100*(base.Accuracy-other.Accuracy), of+"; rank 16")
	return nil
}

package accuracy

import (
	"fmt"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// outcome is the result of one training.
type outcome struct {
	AUC       float64 `json:"auc"` // on held-out inputs
	LogLoss   float64 `json:"log_loss"`
	Embedding int64   `json:"embedding_parameters"`
	Age       float64 `json:"age,omitempty"`   // mean age, in updates, of the reads whose age is known
	Old       float64 `json:"old,omitempty"`   // stale reads as a share of all reads
	Never     float64 `json:"never,omitempty"` // share of the reads that return a value which the row should never have had
	Apart     float64 `json:"apart,omitempty"` // see spread
}

// watched selects what is observed during a training.
type watched int

const (
	nothing  watched = iota
	reads            // the age of reads
	replicas         // the distance between replicas
)

// measure trains a variant and evaluates it. The seed determines the samples and the initial
// parameters.
func measure(v variant, seed uint64) (outcome, error) {
	o := outcome{}
	if v.watched == reads {
		t, err := v.begin(seed, aged)
		if err != nil {
			return o, err
		}
		w := consistency.New(t.from)
		if _, err := train.Run(t.system, t.batches, w, nil); err != nil {
			return o, err
		}
		o.take(w.Summary())
	}
	t, err := v.begin(seed, trained)
	if err != nil {
		return o, err
	}
	o.Embedding = train.Parameters(t.system) - int64(t.system.Net().Len())
	var w train.Watch = train.Unwatched{}
	s := newSpread(t.from.Model)
	if v.watched == replicas {
		w = s
	}
	if _, err := train.Run(t.system, t.batches, w, nil); err != nil {
		return o, err
	}
	if v.watched == replicas {
		o.Apart = s.share()
	}
	return o, o.evaluate(t)
}

// training is a training that is ready to run.
type training struct {
	from    *train.State
	system  train.System
	batches *train.Batches
}

// begin prepares a training of the variant on the given number of inputs.
func (v variant) begin(seed uint64, inputs int64) (t training, err error) {
	c, err := v.config(seed)
	if err != nil {
		return t, err
	}
	clicks, err := experiment.Clicks(c)
	if err != nil {
		return t, err
	}
	if t.from, err = train.Initial(c.For(clicks.Shape()), seed); err != nil {
		return t, err
	}
	if t.system, err = v.build(c, t.from); err != nil {
		return t, err
	}
	t.batches, err = train.NewBatches(t.from.Model, clicks, v.batch, inputs)
	return t, err
}

// build creates the system on a server of its own.
func (v variant) build(c *configs.Config, from *train.State) (train.System, error) {
	systems, err := registry.Choose(catalog.Systems(), v.system)
	if err != nil {
		return nil, err
	}
	machine := server.DefaultConfig()
	machine.GPUs = v.gpus
	s, err := server.New(machine)
	if err != nil {
		return nil, err
	}
	return systems[0].New(s, nil, from, c.Setting(systems[0]))
}

// take copies the statistics of reads from the summary of a consistency checker.
func (o *outcome) take(s consistency.Summary) {
	var wrong int64
	for _, k := range s.Kinds {
		if k.Kind == consistency.WrongRead {
			wrong = k.N
		}
	}
	all := float64(s.Staleness.Reads + wrong)
	o.Age, o.Old, o.Never = s.Staleness.Mean, float64(s.Staleness.Stale)/all, float64(wrong)/all
}

// evaluate predicts the held-out inputs, which follow the training inputs.
func (o *outcome) evaluate(t training) error {
	test, err := data.Range(t.batches.Source(), trained, trained+heldOut)
	if err != nil {
		return err
	}
	e, err := train.Evaluate(t.system, test, usual)
	if err != nil {
		return err
	}
	if e.AUC == nil {
		return fmt.Errorf("the %d held-out inputs have one label", e.Inputs)
	}
	o.LogLoss, o.AUC = e.LogLoss, *e.AUC
	return nil
}

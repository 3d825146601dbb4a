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

// outcome is what came out of a training.
type outcome struct {
	AUC       float64 `json:"auc"` // of held-out inputs
	LogLoss   float64 `json:"log_loss"`
	Embedding int64   `json:"embedding_parameters"`
	Age       float64 `json:"age,omitempty"`   // mean of those reads whose age can be told
	Old       float64 `json:"old,omitempty"`   // share of all reads that are old
	Never     float64 `json:"never,omitempty"` // and of those that are of a value which the row should never have had
	Apart     float64 `json:"apart,omitempty"` // see spread
}

// watched is what a training is watched for.
type watched int

const (
	nothing  watched = iota
	reads            // how old they are
	replicas         // how far they are apart
)

// measure trains a variant with a seed of clicks and parameters, and evaluates it.
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

// training is one that is about to begin.
type training struct {
	from    *train.State
	system  train.System
	batches *train.Batches
}

// begin makes everything for a training of a variant on so many inputs.
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

// build makes the system on a machine of its own.
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

// take takes over what a watch has found of reads.
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

// evaluate lets the model predict the inputs behind those that it was trained on.
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

package experiment

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// sets contains the inputs of a run. No input is both trained on and held out.
type sets struct {
	train  data.Source // all epochs in their order, and possibly other inputs
	number int64       // number of inputs of train to train on; 0 for all
	epoch  int64       // number of inputs of an epoch; 0 if unknown
	test   data.Source // held-out inputs; nil if there are none
}

// checkHeldOut returns an error if attributes of held-out inputs contradict each other.
func (j Job) checkHeldOut() error {
	switch t := j.Config.Training; {
	case t.Patience > 0 && t.HeldOut == 0:
		return j.Config.Errorf("training", "patience", "patience is %d, but no samples are held out; set held_out", t.Patience)
	case t.Split == configs.SplitRandom && t.HeldOut >= 1:
		return j.Config.Errorf("training", "held_out", "held_out is %v; expected a share below 1, because split is %q", t.HeldOut, t.Split)
	}
	return nil
}

// sets splits the data into held-out inputs and training inputs, and orders the latter. Without
// options, the order is the order of the data.
func (j Job) sets() (sets, error) {
	t := j.Config.Training
	random := t.HeldOut > 0 && t.Split == configs.SplitRandom
	split := j.splitLast
	if random {
		split = j.splitRandom
	}
	s, rest, err := split()
	if err == nil && (random || t.Epochs > 1 || t.Shuffle > 0) {
		err = j.order(&s, rest)
	}
	return s, err
}

// splitLast holds out the inputs that follow the training inputs.
func (j Job) splitLast() (s sets, rest data.Source, err error) {
	n, known := j.Data.Len()
	held, most := int64(j.Config.Training.HeldOut), j.limit()
	if share := j.Config.Training.HeldOut; share > 0 && share < 1 {
		of, known := j.considered()
		if !known {
			return s, nil, j.unknown("a share of them cannot be held out")
		}
		held = max(1, int64(share*float64(of)))
	}
	switch {
	case held > 0 && !known && most == 0:
		return s, nil, j.unknown("none can be held out")
	case held > 0 && known && n <= held:
		return s, nil, fmt.Errorf("experiment: %d inputs cannot be held out of the %d of %s", held, n, j.Data.Name())
	case known && (most == 0 || most > n-held):
		most = n - held
	}
	s = sets{train: j.Data, number: most, epoch: most}
	if held > 0 {
		s.test = j.inputs(most, most+held)
	}
	return s, j.inputs(most, math.MaxInt64), nil
}

// splitRandom holds out random inputs.
func (j Job) splitRandom() (s sets, rest data.Source, err error) {
	all := j.Data
	if n, known := j.considered(); known {
		all = j.inputs(0, n)
	}
	if s.train, s.test, err = data.SplitRandom(all, j.Config.Training.HeldOut, j.Config.Training.Seed); err != nil {
		return s, nil, fmt.Errorf("experiment: %w", err)
	}
	s.number, _ = s.train.Len()
	if most := j.limit(); most > 0 {
		s.number = min(s.number, most)
	}
	held, _ := s.test.Len()
	if s.number == 0 || held == 0 {
		return s, nil, fmt.Errorf("experiment: %d inputs of %s for training and %d held out; expected at least 1 each", s.number, j.Data.Name(), held)
	}
	s.epoch = s.number
	return s, s.test, nil
}

// limit returns the largest number of inputs of an epoch, or 0 if the data limit it.
func (j Job) limit() int64 {
	return int64(j.Config.Training.Batch) * int64(j.Config.Training.Batches)
}

// considered returns the number of inputs, from the first, that are divided into training and
// held-out inputs. The training inputs fill the mini-batches of an epoch. The number is known if the
// data or the mini-batches limit it.
func (j Job) considered() (n int64, known bool) {
	n, known = j.Data.Len()
	most := j.limit()
	if most == 0 {
		return n, known
	}
	if !known {
		n = 1 << 62
	}
	if of := math.Ceil(float64(most) / (1 - j.Config.Training.HeldOut)); of < float64(n) {
		n = int64(of)
	}
	return n, true
}

// inputs returns a range of the data.
func (j Job) inputs(from, to int64) data.Source {
	s, err := data.Range(j.Data, from, to)
	if err != nil {
		panic(err) // no caller has a negative range
	}
	return s
}

// unknown returns an error that states a consequence of an unknown number of inputs.
func (j Job) unknown(so string) error {
	const form = "experiment: how many inputs %s has is not known, so %s: say how many mini-batches to train on"
	return fmt.Errorf(form, j.Data.Name(), so)
}

// order shuffles the training inputs in each epoch. The other inputs follow the last epoch.
func (j Job) order(s *sets, rest data.Source) (err error) {
	t := j.Config.Training
	once := s.train
	if s.epoch > 0 {
		if once, err = data.Range(s.train, 0, s.epoch); err != nil {
			return err
		}
	}
	_, known := once.Len()
	if !known && t.Epochs > 1 {
		const form = "epochs is %d, but how many inputs %s has is not known; index it by a first pass, or train for 1 epoch"
		return j.Config.Errorf("training", "epochs", form, t.Epochs, j.Data.Name())
	}
	var list []data.Source
	for epoch := range t.Epochs {
		pass := once
		if t.Shuffle > 0 {
			if pass, err = data.Shuffle(once, t.Shuffle, t.Seed, epoch); err != nil {
				return err
			}
		}
		list = append(list, pass)
	}
	name := list[0].Name()
	if t.Epochs > 1 {
		name = fmt.Sprintf("%s, %d epochs", name, t.Epochs)
	}
	if known {
		list = append(list, rest)
	}
	s.number = s.epoch * int64(t.Epochs)
	s.train, err = data.Concat(name, list...)
	return err
}

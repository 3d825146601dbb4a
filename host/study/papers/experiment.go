package papers

import (
	"context"
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// experiment evaluates records of a paper.
type experiment struct {
	name string // which records name
	long bool   // it takes minutes
	item string // of the paper, whose study it is; empty for others
	run  func(ctx context.Context, k *clock) (Finding, error)
}

// counting is an experiment that needs no time.
func counting(name string, run func(ctx context.Context) (Finding, error)) experiment {
	return experiment{name: name, run: func(ctx context.Context, _ *clock) (Finding, error) { return run(ctx) }}
}

// arithmetic is one that needs no training either.
func arithmetic(name string, run func(f *Finding) error) experiment {
	return counting(name, func(context.Context) (f Finding, err error) {
		err = run(&f)
		return f, err
	})
}

// lengthy are experiments that take long.
func lengthy(list ...experiment) []experiment {
	for i := range list {
		list[i].long = true
	}
	return list
}

// drawn are experiments that draw figures with times, by the figure's name.
func drawn(profile string, figures ...Figure) (list []experiment) {
	for _, f := range figures {
		list = append(list, experiment{name: f.Name, run: func(ctx context.Context, k *clock) (Finding, error) { return f.find(ctx, k, profile) }})
	}
	return list
}

// ordered are experiments that put systems in an order with each profile.
func ordered(profile string, orders ...Order) (list []experiment) {
	for _, o := range orders {
		list = append(list, experiment{name: o.Name, run: func(ctx context.Context, k *clock) (Finding, error) { return o.find(ctx, k, profile) }})
	}
	return list
}

// experiments are those of a paper, with a log for studies on real clicks, unless that is nil.
func experiments(ctx context.Context, paper string, k *clock, real data.Source) ([]experiment, error) {
	var profiles []timing.Profile
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		if err != nil {
			return nil, err
		}
		profiles = append(profiles, p)
	}
	switch profile := library().files[paper].Profile; paper {
	case "hotline":
		return hotlinePaper(ctx, profile, profiles, k.variants[0], real), nil
	case "fae":
		return faePaper(profile, profiles), nil
	case "cdlrm":
		return cdlrmPaper(ctx, profile, profiles), nil
	case "elrec":
		return elrecPaper(ctx, profile, profiles), nil
	case "scratchpipe":
		return scratchpipePaper(ctx, profile, profiles), nil
	}
	return nil, fmt.Errorf("papers: there is no paper %q", paper)
}

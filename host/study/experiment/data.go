package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/visits"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/ui/input"
)

// ClicksFor returns the specification, for OpenData, of generated samples with the statistics of a
// model of the papers.
func ClicksFor(model string) (string, error) {
	for _, c := range [][2]string{{"rm1", "taobao"}, {"rm2", "kaggle"}, {"rm3", "terabyte"}, {"rm4", "avazu"}, {"syn-m1", "syn-m1"}, {"syn-m2", "syn-m2"}} {
		if c[0] == model {
			return "gen:" + c[1], nil
		}
	}
	return "", fmt.Errorf("no preset generates samples for model %s; name the data with --data", model)
}

// OpenData opens "LOG:FILE[,FILE...]", where LOG is one of schema.Names or the path of a schema
// that ends with .hcl, or "gen:PRESET" for generated samples.
func OpenData(ctx context.Context, spec string, seed uint64, o clicklog.Options) (data.Source, report.Source, error) {
	if preset, ok := strings.CutPrefix(spec, "gen:"); ok && preset != "" {
		p, err := gen.Named(preset, seed)
		if err != nil {
			return nil, report.Source{}, err
		}
		s, err := gen.New(p.Params, p.Inputs)
		return s, report.Source{Kind: report.Generated, Path: preset}, err
	}
	log, paths, ok := strings.Cut(spec, ":")
	if at := strings.Index(spec, ".hcl:"); at >= 0 {
		log, paths = spec[:at+4], spec[at+5:]
	} else {
		ok = ok && slices.Contains(schema.Names(), log)
	}
	files := strings.Split(paths, ",")
	if !ok || slices.Contains(files, "") {
		const form = "data is %q; expected LOG:FILE, where LOG is %s or SCHEMA.hcl, or gen:PRESET"
		return nil, report.Source{}, fmt.Errorf(form, spec, strings.Join(schema.Names(), ", "))
	}
	s, err := openLog(ctx, log, files, seed, o)
	return s, report.Source{Kind: log, Path: paths}, err
}

// openLog opens the files of a log.
func openLog(ctx context.Context, log string, files []string, seed uint64, o clicklog.Options) (data.Source, error) {
	for _, f := range files {
		if err := input.Check(f); err != nil {
			return nil, err
		}
	}
	s, err := schema.Load(log)
	if err != nil {
		return nil, err
	}
	if s.History != nil {
		return visits.Open(ctx, s, files, seed, o)
	}
	return clicklog.Open(ctx, s, files, o)
}

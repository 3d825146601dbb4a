package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/avazu"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/criteo"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/taobao"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/ui/input"
)

// Log is a format of click logs with a name.
type Log struct {
	Name  string
	Title string // description, in one line
	Open  func(ctx context.Context, files []string, seed uint64, o clicklog.Options) (data.Source, error)
}

// Logs returns the formats that the project supports.
func Logs() []Log {
	return []Log{
		{"criteo", "the Criteo logs: train.txt of Kaggle, or days of the Terabyte log", func(ctx context.Context, files []string, _ uint64, o clicklog.Options) (data.Source, error) {
			return criteo.Open(ctx, files, o)
		}},
		{"avazu", "train.csv of the Avazu challenge", func(ctx context.Context, files []string, _ uint64, o clicklog.Options) (data.Source, error) {
			return avazu.Open(ctx, files, true, o)
		}},
		{"taobao", "UserBehavior.csv of Taobao, for models with time steps", func(ctx context.Context, files []string, seed uint64, o clicklog.Options) (data.Source, error) {
			return taobao.Open(ctx, files, seed, o)
		}},
	}
}

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

// OpenData opens "LOG:FILE[,FILE...]", or "gen:PRESET" for generated samples.
func OpenData(ctx context.Context, spec string, seed uint64, o clicklog.Options) (data.Source, report.Source, error) {
	kind, rest, _ := strings.Cut(spec, ":")
	var known []string
	for _, l := range Logs() {
		known = append(known, l.Name+":FILE")
		if files := strings.Split(rest, ","); l.Name == kind && !slices.Contains(files, "") {
			for _, f := range files {
				if err := input.Check(f); err != nil {
					return nil, report.Source{}, err
				}
			}
			s, err := l.Open(ctx, files, seed, o)
			return s, report.Source{Kind: kind, Path: rest}, err
		}
	}
	if kind == "gen" && rest != "" {
		p, err := gen.Named(rest, seed)
		if err != nil {
			return nil, report.Source{}, err
		}
		s, err := gen.New(p.Params, p.Inputs)
		return s, report.Source{Kind: report.Generated, Path: rest}, err
	}
	return nil, report.Source{}, fmt.Errorf("data is %q; expected %s or gen:PRESET", spec, strings.Join(known, ", "))
}

package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
	"github.com/hotline-rtl/hotline/host/train"
)

// inEpochs returns a report of two epochs. The systems named differ have evaluations of their own.
func inEpochs(differ ...string) *report.Report {
	r := example()
	r.Epochs = &report.Epochs{Number: 5, Inputs: 3072, Shuffle: 1024}
	for i := range r.Systems {
		s := &r.Systems[i]
		for e := range 2 {
			auc, calibration := 0.7+float64(e)/100, 1.25-float64(e)/4
			s.Evaluations = append(s.Evaluations, report.EvaluationAt{MiniBatch: 12 * (e + 1), Epoch: e + 1, Evaluation: train.Evaluation{
				Inputs: 100, LogLoss: 0.5 - float64(e)/10, Accuracy: 0.75, AUC: &auc, Calibration: &calibration,
			}})
		}
		for _, name := range differ {
			if name == s.System {
				s.Evaluations[1].LogLoss = 0.625
				s.EarlyStop = &report.EarlyStop{Epoch: 2, Lowest: 1}
			}
		}
		s.HeldOut = &s.Evaluations[1].Evaluation
	}
	return r
}

// TestEpochs: the text has the figures of each epoch, once for systems with equal figures.
func TestEpochs(t *testing.T) {
	text := printed(t, inEpochs())
	require.Contains(t, text, "\nepochs         5 of 3,072 inputs, shuffled in windows of 1,024\n")
	require.Contains(t, text, `
  system       loss     AUC  held-out log loss  accuracy     AUC  calibration  parameters  promise     outcome
  hybrid   0.582644  0.6169           0.400000   75.00 %  0.7100       1.0000   3,343,921  sequential  bit-identical
  hotline  0.582644  0.6169           0.400000   75.00 %  0.7100       1.0000   3,343,921  sequential  bit-identical

Held-out inputs after each epoch (calibration: mean prediction / mean label)
  system           epoch  mini-batches  log loss     AUC  calibration
  hybrid, hotline      1            12  0.500000  0.7000       1.2500
                       2            24  0.400000  0.7100       1.0000
`)
	require.NotContains(t, text, "over time")
	require.NotContains(t, text, "early stop")

	text = printed(t, inEpochs("hotline"))
	require.Contains(t, text, `
  system   epoch  mini-batches  log loss     AUC  calibration
  hybrid       1            12  0.500000  0.7000       1.2500
               2            24  0.400000  0.7100       1.0000
  hotline      1            12  0.500000  0.7000       1.2500
               2            24  0.625000  0.7100       1.0000

hotline: early stop  after epoch 2; the held-out log loss was lowest after epoch 1
`)

	r := inEpochs()
	for i := range r.Systems {
		r.Systems[i].Evaluations[0].Calibration, r.Systems[i].Evaluations[0].Epoch = nil, 0
	}
	r.Epochs.Inputs, r.Epochs.Shuffle = 0, 0
	text = printed(t, r)
	require.Contains(t, text, "\nepochs         5\n")
	require.Contains(t, text, "  hybrid, hotline      2            24  0.400000  0.7100       1.0000\n\nhybrid: over time")
}

// TestPageOfEpochs: the page plots the figures of each epoch. As a control, a point between epochs
// makes mini-batches the axis.
func TestPageOfEpochs(t *testing.T) {
	text := reporttest.Text(t, pageOf(t, inEpochs("hotline")))
	for _, s := range []string{
		"Held-out log loss", "hybrid: from 0.5000 to 0.4000. hotline: from 0.5000 to 0.6250.", "Held-out AUC", "hybrid, hotline: from 0.7000 to 0.7100.",
		"Held-out calibration", "hybrid, hotline: from 1.2500 to 1.0000.", "epoch", "Held-out inputs after each epoch", "5 of 3,072 inputs, shuffled in windows of 1,024",
	} {
		require.True(t, reporttest.Has(text, s), s)
	}
	require.False(t, reporttest.Has(text, "evaluated after so many mini-batches"))
	r := inEpochs()
	r.Systems[0].Evaluations[0].Epoch = 0
	require.True(t, reporttest.Has(reporttest.Text(t, pageOf(t, r)), "evaluated after so many mini-batches"))
}

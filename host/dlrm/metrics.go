package dlrm

import (
	"errors"
	"fmt"
	"slices"
)

// ErrOneClass reports that an AUC is undefined because all labels are equal.
var ErrOneClass = errors.New("AUC needs clicks and non-clicks, all labels are the same")

// AUC returns the area under the ROC curve. It is the share of pairs of a click and a non-click in
// which the click has the higher score. An equal score counts one half. The result is exact except
// for the final division. A label above 1/2 is a click.
func AUC(scores, labels []float32) (float64, error) {
	if err := checkScores(scores, labels); err != nil {
		return 0, err
	}
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case scores[a] < scores[b]:
			return -1
		case scores[a] > scores[b]:
			return 1
		}
		return 0
	})
	var halves, clicks, others int64 // halves of won pairs; clicks and others with a lower score
	for start := 0; start < len(order); {
		end, tiedClicks := start, int64(0)
		for end < len(order) && scores[order[end]] == scores[order[start]] {
			if labels[order[end]] > 0.5 {
				tiedClicks++
			}
			end++
		}
		tiedOthers := int64(end-start) - tiedClicks
		halves += tiedClicks * (2*others + tiedOthers)
		clicks += tiedClicks
		others += tiedOthers
		start = end
	}
	if clicks == 0 || others == 0 {
		return 0, ErrOneClass
	}
	return float64(halves) / 2 / float64(clicks) / float64(others), nil
}

// LogLoss returns the mean cross-entropy of probabilities (natural logarithm, at most 100 per
// input).
func LogLoss(probs, labels []float32) (float64, error) {
	if err := checkScores(probs, labels); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, p := range probs {
		if p < 0 || p > 1 {
			return 0, fmt.Errorf("probability %d is %v, expected 0 to 1", i, p)
		}
		sum += crossEntropy(p, labels[i])
	}
	return sum / float64(len(probs)), nil
}

// Accuracy returns the share of probabilities on the same side of 1/2 as their labels.
func Accuracy(probs, labels []float32) (float64, error) {
	if err := checkScores(probs, labels); err != nil {
		return 0, err
	}
	right := 0
	for i, p := range probs {
		if (p > 0.5) == (labels[i] > 0.5) {
			right++
		}
	}
	return float64(right) / float64(len(probs)), nil
}

// Calibration returns the mean probability divided by the mean label. ok is false if there is no
// positive label.
func Calibration(probs, labels []float32) (c float64, ok bool) {
	predicted, clicks := 0.0, 0.0
	for i, p := range probs {
		predicted += float64(p)
		clicks += float64(labels[i])
	}
	if clicks == 0 {
		return 0, false
	}
	return predicted / clicks, true
}

func checkScores(scores, labels []float32) error {
	if len(scores) != len(labels) || len(scores) == 0 {
		return fmt.Errorf("%d scores for %d labels, expected as many, at least one", len(scores), len(labels))
	}
	for i, s := range scores {
		if s != s {
			return fmt.Errorf("score %d %w", i, errScore)
		}
	}
	return nil
}

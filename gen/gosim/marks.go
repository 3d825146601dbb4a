package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// markWord is the marks of a set that are bits of one word.
type markWord struct {
	array string
	index int
	bits  uint64
}

// markWords are the words of marks in the order of the first mark of each.
func markWords(marks []int) []markWord {
	var words []markWord
	for _, m := range marks {
		array := "dirty"
		if m >= plan.CommitMark {
			m -= plan.CommitMark
			array = "commits"
		} else if m >= plan.MemMark {
			m -= plan.MemMark
			array = "writes"
		}
		i := slices.IndexFunc(words, func(w markWord) bool { return w.array == array && w.index == m/64 })
		if i < 0 {
			i = len(words)
			words = append(words, markWord{array: array, index: m / 64})
		}
		words[i].bits |= 1 << (m % 64)
	}
	return words
}

// marksOf is a word of marks of the model.
func marksOf(w markWord) *code.Expr { return code.Name("s.%s", w.array).At(w.index) }

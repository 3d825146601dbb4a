package funcs

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// markWord contains the marks of a set that are bits of one word.
type markWord struct {
	array string
	index int
	bits  uint64
}

// markWords returns the words of marks in the order of the first mark of each.
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

// marksOf returns a word of marks of the model.
func marksOf(w markWord) *code.Expr { return code.Name("s.%s", w.array).At(w.index) }

// changed returns the variable that is not zero if a value with these marks changed.
func changed(mark int) *code.Expr { return code.Name("c%d", mark) }

// marking sets the marks of changed values, and the marks that the function always sets.
func (e *Printer) marking() []code.Stmt {
	return e.Within(func() {
		if e.unpredictable {
			e.setMarks()
		} else {
			for i, m := range e.marks {
				e.When(changed(i).Differs(code.Zero), func() { e.setting(m) })
			}
		}
		var always []int
		if i, ok := e.p.Commits[e.Unit]; ok {
			always = append(always, plan.CommitMark+i)
		}
		e.setting(markWords(always))
	})
}

// setting sets the bits of words.
func (e *Printer) setting(words []markWord) {
	for _, w := range words {
		e.Or(marksOf(w), code.Num(w.bits))
	}
}

// setMarks sets the marks of changed values without branches.
func (e *Printer) setMarks() {
	var words []markWord
	for i, marks := range e.marks {
		for _, m := range marks {
			k := slices.IndexFunc(words, func(w markWord) bool { return w.array == m.array && w.index == m.index })
			if k < 0 {
				k = len(words)
				words = append(words, m)
				e.Do(&code.Define{Name: code.Name("d%d", k), X: marksOf(m), Int: true})
			}
			e.When(changed(i).Differs(code.Zero), func() { e.Or(code.Name("d%d", k), code.Num(m.bits)) })
		}
	}
	for k, w := range words {
		e.Put(marksOf(w), code.Name("d%d", k))
	}
}

// note sets marks at the end of the function if a difference is not zero.
func (e *Printer) note(marks []int, difference *code.Expr) {
	if len(marks) == 0 {
		return
	}
	e.Or(changed(e.mark(markWords(marks))), difference)
}

// mark returns the number of a set of marks in this function.
func (e *Printer) mark(words []markWord) int {
	i := slices.IndexFunc(e.marks, func(m []markWord) bool { return slices.Equal(m, words) })
	if i < 0 {
		i = len(e.marks)
		e.marks = append(e.marks, words)
	}
	return i
}

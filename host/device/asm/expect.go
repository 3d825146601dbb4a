package asm

import (
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Subjects of .expect.
const (
	expectStatus = "status"
	expectValue0 = "value0"
	expectValue1 = "value1"
	expectFloat  = "float"
	expectWord   = "word"
)

// Expect is an expectation about the preceding command, or about memory at the end.
type Expect struct {
	Line    int
	Text    string // as in the file, without comment and with single spaces
	What    string // status, value0, value1, float or word
	Command int    // index of the command, for status and values
	Memory  *Show  // for float and word
	Want    []uint32
}

// Outcome is the result of an expectation.
type Outcome struct {
	Line     int    `json:"line"`
	Text     string `json:"text"`
	Met      bool   `json:"met"`
	Found    string `json:"found"`
	Expected string `json:"expected"`
}

const expectUsage = "status, number or name; value0, number; value1, number; float, label, v, ...; or word, label, v, ..."

// expect parses a directive .expect.
func (p *parser) expect(text string, args []string) {
	if len(args) < 2 {
		p.bad(".expect with %d operands, expected %s", len(args), expectUsage)
		return
	}
	e := Expect{Line: p.line, Text: text, What: args[0], Command: len(p.program.Commands) - 1}
	switch e.What {
	case expectFloat, expectWord:
		p.after(func() { p.expectMemory(e, args[1], args[2:]) })
	case expectStatus, expectValue0, expectValue1:
		if e.Command < 0 {
			p.bad(".expect %s, but there is no command before it", e.What)
			return
		}
		if !p.count(".expect "+e.What, args[1:], 1, "one") {
			return
		}
		p.after(func() { p.expectOfCommand(e, args[1]) })
	default:
		p.bad(".expect of %q, expected %s", e.What, expectUsage)
	}
}

// expectOfCommand parses an expectation about a command.
func (p *parser) expectOfCommand(e Expect, text string) {
	v, err := uint64(0), error(nil)
	most := uint64(math.MaxUint32)
	if e.What == expectStatus {
		v, err = p.status(text)
		most = math.MaxUint8
	} else {
		v, err = p.names.sum(text)
	}
	switch {
	case err != nil:
		p.bad("%s: %v", e.What, err)
	case v > most:
		p.bad("%s: %s is above %d", e.What, text, most)
	default:
		e.Want = []uint32{uint32(v)}
		p.program.Expects = append(p.program.Expects, e)
	}
}

// status parses the name of a status, or a number.
func (p *parser) status(text string) (uint64, error) {
	set := arch.Status(0).Enum()
	if v, err := set.Parse(text); err == nil {
		return v, nil
	}
	v, err := p.names.sum(text)
	if err != nil {
		return 0, fmt.Errorf("found %q, expected a number or %s", text, set.List())
	}
	return v, nil
}

// expectMemory parses an expectation about memory.
func (p *parser) expectMemory(e Expect, label string, values []string) {
	if len(values) == 0 {
		p.bad(".expect %s of %s without values, expected at least one", e.What, label)
		return
	}
	before := len(p.mistakes)
	for _, v := range values {
		e.Want = append(e.Want, p.word(v, e.What == expectFloat))
	}
	if len(p.mistakes) > before {
		return
	}
	if at, ok := p.wordsAt(label, uint64(len(values))); ok {
		e.Memory = &at
		p.program.Expects = append(p.program.Expects, e)
	}
}

// check compares an expectation with the result: the steps of a run, or the words of memory.
func (e Expect) check(steps []Step, words []uint32) Outcome {
	o := Outcome{Line: e.Line, Text: e.Text}
	switch e.What {
	case expectStatus:
		found := steps[e.Command].Status
		o.Found, o.Expected = statusText(found), statusText(uint8(e.Want[0]))
		o.Met = uint32(found) == e.Want[0]
	case expectValue0, expectValue1:
		found := steps[e.Command].Values[0]
		if e.What == expectValue1 {
			found = steps[e.Command].Values[1]
		}
		o.Found, o.Expected = fmt.Sprint(found), fmt.Sprint(e.Want[0])
		o.Met = found == e.Want[0]
	default:
		o.Met, o.Found, o.Expected = e.compare(words)
	}
	return o
}

// compare compares words of memory bit by bit. found and expected describe the first difference.
func (e Expect) compare(words []uint32) (same bool, found, expected string) {
	first, differ := 0, 0
	for i, w := range words {
		if w != e.Want[i] {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ == 0 {
		return true, "the same", "the same"
	}
	number := func(w uint32) string {
		if e.What == expectFloat {
			return fmt.Sprintf("%g (%#08x)", math.Float32frombits(w), w)
		}
		return fmt.Sprintf("%d (%#08x)", w, w)
	}
	return false, fmt.Sprintf("%s in word %d", number(words[first]), first), fmt.Sprintf("%s; %d of %d words differ", number(e.Want[first]), differ, len(words))
}

// statusText returns a status number with its meaning.
func statusText(s uint8) string { return fmt.Sprintf("%d (%v)", s, arch.Status(s)) }

// shown is the maximum length of a program line in messages.
const shown = 80

// short returns the text of the expectation, truncated if it is long.
func (o Outcome) short() string {
	text := []rune(o.Text)
	if len(text) <= shown {
		return o.Text
	}
	return string(text[:shown]) + "..."
}

// message describes an expectation that was not met.
func (o Outcome) message(file string) string {
	return fmt.Sprintf("%s:%d: %s: found %s, expected %s", file, o.Line, o.short(), o.Found, o.Expected)
}

// unmet returns the expectations that were not met.
func (r *Result) unmet() []Outcome {
	var list []Outcome
	for _, o := range r.Expectations {
		if !o.Met {
			list = append(list, o)
		}
	}
	return list
}

// mostUnmet is the maximum number of expectations that an error lists.
const mostUnmet = 10

// Unmet returns an error that lists the expectations that were not met, with file, line and both
// values. It returns nil if all were met.
func (r *Result) Unmet(file string) error {
	var errs []error
	for i, o := range r.unmet() {
		if i == mostUnmet {
			errs = append(errs, fmt.Errorf("and %d more", len(r.unmet())-mostUnmet))
			break
		}
		errs = append(errs, errors.New(o.message(file)))
	}
	return errors.Join(errs...)
}

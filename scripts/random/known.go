package main

import "regexp"

// faults are those of tools, by what they print. A design that meets one is shown and
// counted, but does not make a campaign fail: there is nothing here to mend.
var faults = []struct {
	engine string
	text   *regexp.Regexp
}{
	// Verilator 5.006 stops at a register of which an index chooses an element, where
	// the index turns out to be constant. 5.051 does not.
	{"verilator", regexp.MustCompile(`%Error: Internal Error: .*V3Gate\.cpp:\d+: Consumer doesn't match lhs of assign`)},
}

// known tells whether an engine refuses a design because of a fault that is known.
func (d difference) known() bool {
	for _, f := range faults {
		if d.Refused && d.Engine == f.engine && f.text.MatchString(d.Text) {
			return true
		}
	}
	return false
}

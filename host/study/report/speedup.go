package report

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// SpeedUp is the speed-up of a system over another system with a software profile.
type SpeedUp struct {
	System  string `json:"system"`
	Over    string `json:"over"`
	Profile string `json:"profile"`
	timing.Spread
}

// WriteTrace writes the timeline in Chrome's trace event format. The timeline is empty unless the
// job requested it.
func (r *Report) WriteTrace(w io.Writer) error { return r.Trace.WriteTrace(w) }

func (s SpeedUp) String() string {
	text := s.ranged()
	for i, d := range s.Depends {
		text += fmt.Sprintf("%s %s = %v to %v: %.2f to %.2f", []string{"; by", ","}[min(i, 1)], d.Constant, d.Low, d.High, d.AtLow, d.AtHigh)
	}
	return text
}

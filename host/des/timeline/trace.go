package timeline

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/host/des"
)

// Event is a booking of a recorded timeline.
type Event struct {
	Resource   string
	Label      string
	Flow       string // unit of work to which it belongs, such as a mini-batch
	Start, End des.Time
	Work       des.Time // less than End-Start if pieces wait for each other
	Bytes      int64
	Kernels    int
	After      []int // indices of the recorded events that it was booked to wait for, ascending
	Data       []Data
	Collective string
}

// Record enables or disables the recording of later bookings.
func (l *Timeline) Record(on bool) { l.recording = on }

// Flow sets the flow to which the following bookings belong.
func (l *Timeline) Flow(name string) { l.flow = name }

// Events returns the recorded bookings in their order.
func (l *Timeline) Events() []Event { return l.events }

// record records a booking if recording is enabled, unless the booking has no time, bytes and
// kernels. It returns the indices of the events that a point at its end waits for.
func (l *Timeline) record(r *Resource, w Work, start des.Time, end, asked Point) []int {
	if w.Time == 0 && w.Bytes == 0 && w.Kernels == 0 {
		return end.events
	}
	if !l.recording {
		return nil
	}
	l.events = append(l.events, Event{r.name, w.Label, l.flow, start, end.At, w.Time, w.Bytes, w.Kernels, asked.events, w.Data, w.Collective})
	return []int{len(l.events) - 1}
}

// union returns the elements of two ascending lists, ascending.
func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// WriteTrace writes the recorded events in Chrome's trace event format, which Perfetto can open,
// too. Each resource is a track, and arrows connect the events of a flow. Times are in microseconds
// with six decimals, which is picosecond resolution.
func (l *Timeline) WriteTrace(w io.Writer) error {
	t := tracer{w: w}
	t.print("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
	for i, r := range l.resources {
		t.event(`{"ph":"M","pid":1,"tid":%d,"name":"thread_name","args":{"name":%s}}`, i+1, quote(r.name))
		t.event(`{"ph":"M","pid":1,"tid":%d,"name":"thread_sort_index","args":{"sort_index":%d}}`, i+1, i)
	}
	track := map[string]int{}
	for i, r := range l.resources {
		track[r.name] = i + 1
	}
	flows := map[string]int{}
	for _, e := range l.events {
		tid := track[e.Resource]
		t.event(`{"ph":"X","pid":1,"tid":%d,"name":%s,"ts":%s,"dur":%s,"args":{"flow":%s,"work_us":%s,"bytes":%d,"kernels":%d}}`,
			tid, quote(e.Label), micros(e.Start), micros(e.End-e.Start), quote(e.Flow), micros(e.Work), e.Bytes, e.Kernels)
		if e.Flow == "" {
			continue
		}
		step, id := "t", flows[e.Flow]
		if id == 0 {
			step, id = "s", len(flows)+1
			flows[e.Flow] = id
		}
		t.event(`{"ph":"%s","pid":1,"tid":%d,"id":%d,"cat":"flow","name":%s,"ts":%s}`, step, tid, id, quote(e.Flow), micros(e.Start))
	}
	t.print("\n]}\n")
	return t.err
}

// tracer writes a list of objects.
type tracer struct {
	w       io.Writer
	started bool
	err     error
}

func (t *tracer) print(s string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, s)
	}
}

func (t *tracer) event(format string, args ...any) {
	if t.started {
		t.print(",\n")
	}
	t.started = true
	t.print(fmt.Sprintf(format, args...))
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // unreachable: every string has a JSON form
	}
	return string(b)
}

// micros formats a time in microseconds, exactly.
func micros(t des.Time) string {
	return strconv.FormatInt(int64(t/des.Microsecond), 10) + "." + fmt.Sprintf("%06d", t%des.Microsecond)
}

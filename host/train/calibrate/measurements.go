package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/input"
)

// Measurements are the times of operators and steps on a machine. Without times they are a request.
type Measurements struct {
	Schema    string     `json:"schema"`
	Device    string     `json:"device"` // cpu or cuda
	Rounds    int        `json:"rounds"` // repetitions of all measurements
	Operators []Operator `json:"operators"`
	Steps     []Step     `json:"steps"`

	PyTorch     string `json:"pytorch,omitempty"` // version
	Processor   string `json:"processor,omitempty"`
	Accelerator string `json:"accelerator,omitempty"`
	GPUs        int    `json:"gpus,omitempty"`
	HostBytes   int64  `json:"host_bytes,omitempty"`
	DeviceBytes int64  `json:"device_bytes,omitempty"`
}

// Operator is an operation of a device. The script has a method of its name, whose parameters are
// the sizes.
type Operator struct {
	Name  string  `json:"name"`
	Sizes []int   `json:"sizes"`
	Us    float64 `json:"us,omitempty"` // lower quartile of the times
}

// Step is a training step of a DLRM.
type Step struct {
	Batch   int     `json:"batch"`
	Tables  int     `json:"tables"`
	Lookups int     `json:"lookups"` // per table and sample
	Dim     int     `json:"dim"`
	Bottom  []int   `json:"bottom"`
	Top     []int   `json:"top"`
	Us      float64 `json:"us,omitempty"` // lower quartile of the times
}

const schema = "hotline.calibrate/1"

// mostBytes is the maximum size of a file of measurements.
const mostBytes = 10_000_000

// Load reads the measurements in a file. Errors begin with the file, and with the line if there is
// one.
func Load(name string) (Measurements, error) {
	text, err := input.Text(name, mostBytes)
	if err != nil {
		return Measurements{}, err
	}
	return parse(name, text)
}

// JSON returns the file of the measurements, with an operator or step per line.
func (x Measurements) JSON() []byte {
	text, err := json.Marshal(x)
	if err != nil {
		panic(err) // every field has a representation
	}
	for _, list := range []string{`{"name"`, `{"batch"`} {
		text = bytes.ReplaceAll(text, []byte(list), []byte("\n"+list))
	}
	return append(text, '\n')
}

func parse(name string, text []byte) (x Measurements, err error) {
	if err := json.Unmarshal(text, &x); err != nil {
		return x, fmt.Errorf("%s:%d: %s", name, lineOf(err, text), strings.TrimPrefix(err.Error(), "json: "))
	}
	if err := x.check(); err != nil {
		return x, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}

// lineOf returns the line of an error in JSON.
func lineOf(err error, text []byte) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := int64(0)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

// check returns an error if a measurement is missing or impossible.
func (x Measurements) check() error {
	switch {
	case x.Schema != schema:
		return fmt.Errorf("schema is %q; expected %q", x.Schema, schema)
	case x.Device != "cpu" && x.Device != "cuda":
		return fmt.Errorf("device is %q; expected cpu or cuda", x.Device)
	case x.HostBytes <= 0 || x.DeviceBytes <= 0:
		return fmt.Errorf("host_bytes is %d and device_bytes is %d; expected positive numbers", x.HostBytes, x.DeviceBytes)
	case len(x.Steps) == 0:
		return errors.New("there are no steps; expected at least 1")
	}
	set := fitSet(x.Device, x.GPUs)
	for _, want := range set {
		if !slices.ContainsFunc(x.Operators, want.same) {
			return fmt.Errorf("operator %s %v is missing", want.Name, want.Sizes)
		}
	}
	for _, o := range x.Operators {
		if !slices.ContainsFunc(set, o.same) {
			return fmt.Errorf("operator %s %v is unknown", o.Name, o.Sizes)
		}
		if !(o.Us > 0) {
			return fmt.Errorf("operator %s %v has time %v; expected a positive number", o.Name, o.Sizes, o.Us)
		}
	}
	if x.tinyLayer() <= 0 {
		return fmt.Errorf("%d tiny layers take no longer than %d: measure again while the machine does less", tinyLayers[1], tinyLayers[0])
	}
	for i, s := range x.Steps {
		if s.Batch < 1 || !(s.Us > 0) {
			return fmt.Errorf("step %d has mini-batches of %d and time %v; expected positive numbers", i+1, s.Batch, s.Us)
		}
		if err := s.model().Validate(); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// same reports whether two operators are equal, apart from their times.
func (o Operator) same(x Operator) bool { return o.Name == x.Name && slices.Equal(o.Sizes, x.Sizes) }

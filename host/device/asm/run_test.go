package asm_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/asm"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// run runs a program on a machine with two GPUs.
func run(t *testing.T, text string) (*asm.Result, error) {
	return runOn(t, server.DefaultConfig(), text)
}

func runOn(t *testing.T, cfg server.Config, text string) (*asm.Result, error) {
	p, err := asm.Parse("x.s", text)
	require.NoError(t, err)
	cfg.GPUs = 2
	s, err := server.New(cfg)
	require.NoError(t, err)
	a, err := functional.New(s.Kernel, arch.Small(), cfg.Period, cfg.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(a)
	require.NoError(t, err)
	return p.Run(s, dev, nil)
}

// floats returns the words of a label as FP32 values.
func floats(r *asm.Result, name string) []float32 {
	i := slices.IndexFunc(r.Memory, func(w asm.Words) bool { return w.Name == name })
	var list []float32
	for _, v := range r.Memory[i].Words {
		list = append(list, math.Float32frombits(v))
	}
	return list
}

// TestExamples: the example programs meet all expectations, and each rejected command has an
// expectation.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/programs/*.s")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			r, err := run(t, string(text))
			require.NoError(t, err)
			require.NotEmpty(t, r.Expectations)
			require.NoError(t, r.Unmet(file))
			lines := strings.Split(string(text), "\n")
			for _, c := range r.Commands {
				if c.Status != 0 {
					require.True(t, strings.HasPrefix(lines[c.Line], ".expect status, "), "%s: %s", c.Text, c.Outcome)
				}
				require.Positive(t, c.Cycles)
				require.Positive(t, c.ToCard)
				require.Positive(t, c.FromCard)
				word, _, _ := strings.Cut(c.Text, " ")
				used[word] = true
			}
		})
	}
	for _, o := range arch.Opcodes[:6] {
		require.True(t, used[o.Name], "an example has %s", o.Name)
		require.FileExists(t, "../../../examples/programs/"+o.Name+".s")
	}
}

// TestExpect checks each kind of expectation, met and not met.
func TestExpect(t *testing.T) {
	const program = `a: .float 1, -0
.gpu 1
b: .word 7
.const N, 30+7
   s_wr row_log2, 6
   v_add
`
	for line, want := range map[string]string{
		".expect status, no_row":          "",
		".expect status, 37":              "",
		".expect status, N":               "",
		".expect status, ok":              "found 37 (no row is ahead), expected 0 (ok)",
		".expect value0, 0":               "",
		".expect value0, 1":               "found 0, expected 1",
		".expect value1, N":               "found 0, expected 37",
		".expect float, a, 1, -0":         "",
		".expect float, a, 1":             "",
		".expect float, a, 1, 0":          "found -0 (0x80000000) in word 1, expected 0 (0x00000000); 1 of 2 words differ",
		".expect float, a, 2, 3":          "found 1 (0x3f800000) in word 0, expected 2 (0x40000000); 2 of 2 words differ",
		".expect word, a, 0x3f800000":     "",
		".expect word, b, N-30":           "",
		".expect  word, b,   8 ; comment": "found 7 (0x00000007) in word 0, expected 8 (0x00000008); 1 of 1 words differ",
	} {
		r, err := run(t, program+line)
		require.NoError(t, err)
		require.Len(t, r.Expectations, 1)
		require.Equal(t, want == "", r.Expectations[0].Met, line)
		if want == "" {
			require.NoError(t, r.Unmet("x.s"), line)
			continue
		}
		text, _, _ := strings.Cut(line, ";")
		require.EqualError(t, r.Unmet("x.s"), "x.s:7: "+strings.Join(strings.Fields(text), " ")+": "+want)
	}
}

// TestExpectOfMany: an error lists at most ten expectations and truncates long lines.
func TestExpectOfMany(t *testing.T) {
	long := ".expect word, a, 1" + strings.Repeat(", 1", 99)
	r, err := run(t, "a: .zero 400\n fence\n"+strings.Repeat(".expect value0, 1\n", 12)+long)
	require.NoError(t, err)
	lines := strings.Split(r.Unmet("x.s").Error(), "\n")
	require.Len(t, lines, 11)
	require.Equal(t, "x.s:3: .expect value0, 1: found 0, expected 1", lines[0])
	require.Equal(t, "and 3 more", lines[10])
	r.Expectations = r.Expectations[12:]
	require.EqualError(t, r.Unmet("x.s"), "x.s:15: "+long[:80]+"...: found 0 (0x00000000) in word 0, expected 1 (0x00000001); 100 of 100 words differ")
}

// TestOwnCycles: the accelerator's cycles belong to the command only and exclude driver and link.
func TestOwnCycles(t *testing.T) {
	const program = "row: .zero 64\n s_wr row_log2, 6\n fence\n dma_rd row, 64\n fence\n v_add load\n dma_wr row, 64\n"
	own := func(cfg server.Config) (list []int64, driver []int64) {
		r, err := runOn(t, cfg, program)
		require.NoError(t, err)
		for _, c := range r.Commands {
			list, driver = append(list, c.Own), append(driver, c.Cycles)
		}
		return list, driver
	}
	near, before := own(server.DefaultConfig())
	require.Greater(t, near[4], near[0], "an operation on a row takes longer than a register")
	require.Greater(t, near[5], near[4], "and a write of a row still longer")
	for i := range near {
		require.Positive(t, near[i])
		require.Less(t, near[i], before[i])
	}
	cfg := server.DefaultConfig()
	cfg.Slot.LatencyDown, cfg.Slot.LatencyUp = 5*des.Microsecond, 5*des.Microsecond
	far, after := own(cfg)
	for i := range near {
		require.InDelta(t, near[i], far[i], 1, "the link is not in it, but for the phase of the clock")
		require.Greater(t, after[i], before[i]+1000)
	}
}

// junitReport is the part of JUnit XML that CI systems read.
type junitReport struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []struct {
		Name     string  `xml:"name,attr"`
		Tests    int     `xml:"tests,attr"`
		Failures int     `xml:"failures,attr"`
		Errors   int     `xml:"errors,attr"`
		Time     float64 `xml:"time,attr"`
		Cases    []struct {
			Name      string `xml:"name,attr"`
			ClassName string `xml:"classname,attr"`
			Failure   *struct {
				Message string `xml:"message,attr"`
				Type    string `xml:"type,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error *struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// known lists the attributes of each element in the schema of Jenkins' xUnit plugin, which rejects
// others.
var known = map[string]string{
	"testsuites": "name time tests failures errors",
	"testsuite":  "name tests failures errors group time skipped timestamp hostname id package file log url",
	"testcase":   "name time classname group",
	"failure":    "type message",
	"error":      "type message",
}

// checkAttributes reports attributes that are not in the schema.
func checkAttributes(t *testing.T, text string) {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			require.Contains(t, known, e.Name.Local)
			for _, a := range e.Attr {
				require.Contains(t, strings.Fields(known[e.Name.Local]), a.Name.Local, e.Name.Local)
			}
		}
	}
}

func TestJUnit(t *testing.T) {
	r, err := run(t, " fence ; <&\n.expect value0, 0\n.expect status, range\n")
	require.NoError(t, err)
	var b strings.Builder
	const name = "a<b & \"c\".s"
	require.NoError(t, r.WriteJUnit(&b, name))
	checkAttributes(t, b.String())
	var got junitReport
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got), b.String())
	require.Len(t, got.Suites, 1)
	s := got.Suites[0]
	require.Equal(t, []any{name, 2, 1, 0}, []any{s.Name, s.Tests, s.Failures, s.Errors})
	require.InDelta(t, (r.Commands[0].End - r.Commands[0].Start).Seconds(), s.Time, 1e-12)
	require.Len(t, s.Cases, 2)
	require.Equal(t, []string{"line 2: .expect value0, 0", name}, []string{s.Cases[0].Name, s.Cases[0].ClassName})
	require.Nil(t, s.Cases[0].Failure)
	require.Equal(t, "found 0 (ok), expected 34 (operand out of range)", s.Cases[1].Failure.Message)
	require.Equal(t, "expect", s.Cases[1].Failure.Type)
	require.Equal(t, name+":3: .expect status, range: found 0 (ok), expected 34 (operand out of range)", s.Cases[1].Failure.Text)

	b.Reset()
	require.NoError(t, asm.WriteJUnitError(&b, "x.s", errors.New("it <died>\x01")))
	checkAttributes(t, b.String())
	got = junitReport{}
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got), b.String())
	require.Equal(t, []int{1, 0, 1}, []int{got.Suites[0].Tests, got.Suites[0].Failures, got.Suites[0].Errors})
	require.Equal(t, "it <died>\ufffd", got.Suites[0].Cases[0].Error.Message)
}

// TestProgramOfTheDocument: the program of docs/how-to/programs.md adds two rows.
func TestProgramOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../../docs/how-to/programs.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(document), "```\n")
	text, _, _ := strings.Cut(rest, "```")
	r, err := run(t, text)
	require.NoError(t, err)
	require.Equal(t, []float32{1, 2, 3, 4}, floats(r, "sum"))
}

// TestBytes: the byte counts of commands are as documented. A row counts for the command after its
// read.
func TestBytes(t *testing.T) {
	const doorbell, fetch, entry, completion, interrupt = 24, 24, 12 + 64 + 8, 16 + 32 + 8, 12 + 4 + 8
	const read, row = 24, 12 + 64 + 8
	r, err := run(t, "a: .zero 64\n s_wr row_log2, 6\n fence\n dma_rd a, 64\n fence\n fence")
	require.NoError(t, err)
	var got [][2]uint64
	for _, c := range r.Commands[1:] {
		got = append(got, [2]uint64{c.ToCard, c.FromCard})
	}
	const seen = doorbell // doorbell: a write of the completion ring's index
	const down, up = seen + doorbell + entry, fetch + completion + interrupt
	require.Equal(t, [][2]uint64{{down, up}, {down, up + read}, {down + row, up}, {down, up}}, got)
	require.Greater(t, r.Commands[0].ToCard, uint64(down), "and the setting up of the rings")
}

// TestFarGPU: a completion entry may overtake a vector on its way to a GPU. The words shown
// nevertheless contain the vector.
func TestFarGPU(t *testing.T) {
	cfg := server.DefaultConfig()
	cfg.GPULink.LatencyDown = 50 * des.Microsecond
	r, err := runOn(t, cfg, "row: .float 7\n.zero 60\n.gpu 0\nfar: .zero 64\n s_wr row_log2, 6\n dma_rd row, 64\n v_add load\n dma_wr far, 64\n.show far, 1")
	require.NoError(t, err)
	require.Equal(t, []float32{7}, floats(r, "far"))
}

func TestPrint(t *testing.T) {
	r, err := run(t, "a: .float 0.5, 2\n s_wr row_log2,   6 ; rows\n v_add\n.show a, 2")
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	require.Regexp(t, regexp.MustCompile(`(?s)^ line +command +value 0 +value 1 +accelerator +driver +to card +from card +outcome
    2  s_wr row_log2, 6 .* ok
    3  v_add .* no row is ahead
a: 0.5 2
$`), b.String())
}

func TestRunMistakes(t *testing.T) {
	_, err := run(t, ".gpu 2\na: .float 1")
	require.EqualError(t, err, "asm: data for GPU 2, but the machine has 2 GPUs")
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	a, err := functional.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(a)
	require.NoError(t, err)
	s.Host.Alloc("something", 1)
	p, err := asm.Parse("x.s", "fence")
	require.NoError(t, err)
	_, err = p.Run(s, dev, nil)
	require.EqualError(t, err, "asm: data are at 0x100001000, expected 0x100000000: the memory was used before")
}

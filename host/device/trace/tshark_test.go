package trace_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/pcie/pcietest"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// tshark decodes a capture with the dissector and returns a line of fields for each packet.
func tshark(t *testing.T, file []byte, fields ...string) []string {
	tools.Need(t, "tshark")
	dir := t.TempDir()
	script, capture := filepath.Join(dir, "hotline.lua"), filepath.Join(dir, "run.pcapng")
	require.NoError(t, os.WriteFile(script, []byte(trace.Dissector()), 0o600))
	require.NoError(t, os.WriteFile(capture, file, 0o600))
	args := []string{"-X", "lua_script:" + script, "-r", capture, "-T", "fields", "-E", "separator=|"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	var out, log bytes.Buffer
	cmd := exec.Command("tshark", args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	require.NoError(t, cmd.Run(), log.String())
	require.NotContains(t, log.String(), "Lua")
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// fields lists the fields that both decoders must agree on.
var fields = []string{
	"tlp.malformed", "tlp.dir", "tlp.time_ps", "tlp.dropped", "tlp.injected", "tlp.added", "tlp.comment", "tlp.delay_ps", "tlp.gap", "tlp.kind", "tlp.tc", "tlp.attr", "tlp.td", "tlp.ep", "tlp.at",
	"tlp.length", "tlp.requester", "tlp.tag", "tlp.first_be", "tlp.last_be", "tlp.addr", "tlp.completer", "tlp.status", "tlp.bcm", "tlp.byte_count", "tlp.lower_addr",
	"tlp.target", "tlp.register", "tlp.code", "tlp.route", "tlp.message", "tlp.data", "tlp.digest", "tlp.request", "hotline.what", "hotline.csr", "hotline.value",
	"hotline.command.id", "hotline.command.opcode", "hotline.command.flags", "hotline.command.operand1", "hotline.command.operand2", "hotline.command.operand3",
	"hotline.completion.id", "hotline.completion.status", "hotline.completion.value0", "hotline.completion.value1",
}

// expected formats an event of package trace like tshark's output.
func expected(e *trace.Event) string {
	have := map[string]string{
		"tlp.dir": fmt.Sprint(uint8(e.Dir)), "tlp.time_ps": fmt.Sprint(int64(e.Time)),
		"tlp.dropped": fmt.Sprint(bit(e.Flags&capture.Dropped != 0)), "tlp.injected": fmt.Sprint(bit(e.Flags&capture.Injected != 0)), "tlp.added": fmt.Sprint(bit(e.Flags&capture.Added != 0)), "tlp.comment": e.Comment,
	}
	if e.Kind == capture.KindDelay {
		have["tlp.delay_ps"] = fmt.Sprint(int64(e.Delay))
	}
	if e.Kind == capture.KindGap {
		have["tlp.gap"] = fmt.Sprint(e.Gap)
	}
	if e.Kind == capture.KindTLP {
		tlpFields(have, &e.TLP)
		purpose(have, e)
	}
	var line []string
	for _, f := range fields {
		line = append(line, have[f])
	}
	return strings.Join(line, "|")
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func tlpFields(have map[string]string, t *pcie.TLP) {
	hex := func(name string, digits int, v uint64) { have[name] = fmt.Sprintf("0x%0*x", digits, v) }
	dec := func(name string, v int) { have[name] = fmt.Sprint(v) }
	have["tlp.kind"] = t.Kind.String()
	dec("tlp.tc", int(t.TC))
	hex("tlp.attr", 2, uint64(t.Attr))
	dec("tlp.td", bit(t.TD))
	dec("tlp.ep", bit(t.EP))
	dec("tlp.at", int(t.AT))
	dec("tlp.length", t.Length)
	hex("tlp.requester", 4, uint64(t.Requester))
	hex("tlp.tag", 4, uint64(t.Tag))
	if len(t.Data) > 0 {
		have["tlp.data"] = fmt.Sprintf("%x", t.Data)
	}
	if t.TD {
		hex("tlp.digest", 8, uint64(t.Digest))
	}
	switch t.Kind {
	case pcie.MRd, pcie.MWr:
		hex("tlp.first_be", 2, uint64(t.FirstBE))
		hex("tlp.last_be", 2, uint64(t.LastBE))
		hex("tlp.addr", 16, t.Addr)
	case pcie.CfgRd0, pcie.CfgWr0, pcie.CfgRd1, pcie.CfgWr1:
		hex("tlp.first_be", 2, uint64(t.FirstBE))
		hex("tlp.last_be", 2, uint64(t.LastBE))
		hex("tlp.target", 4, uint64(t.Completer))
		hex("tlp.register", 4, t.Addr)
	case pcie.Cpl, pcie.CplD:
		hex("tlp.completer", 4, uint64(t.Completer))
		dec("tlp.status", int(t.Status))
		dec("tlp.bcm", bit(t.BCM))
		dec("tlp.byte_count", t.ByteCount)
		hex("tlp.lower_addr", 2, uint64(t.LowerAddr))
	default:
		hex("tlp.code", 2, uint64(t.Code))
		dec("tlp.route", int(t.Route))
		hex("tlp.message", 16, t.Addr)
	}
}

// purpose adds the fields that package trace derived for a TLP.
func purpose(have map[string]string, e *trace.Event) {
	have["hotline.what"], have["hotline.csr"] = string(e.Role), e.Register
	if e.Request != 0 {
		have["tlp.request"] = fmt.Sprint(e.Request)
	}
	if e.Value != nil {
		have["hotline.value"] = fmt.Sprintf("0x%08x", *e.Value)
	}
	if c := e.Command; c != nil && c.Fetched == e.Number {
		have["hotline.command.id"] = fmt.Sprint(c.ID)
		have["hotline.command.opcode"], have["hotline.command.flags"] = fmt.Sprintf("0x%02x", uint8(c.Opcode)), fmt.Sprintf("0x%02x", c.Flags)
		for i, v := range []uint64{c.Operand1, c.Operand2, c.Operand3} {
			have[fmt.Sprintf("hotline.command.operand%d", i+1)] = fmt.Sprintf("0x%016x", v)
		}
	}
	if c := completed(e); c != nil {
		have["hotline.completion.id"], have["hotline.completion.status"] = fmt.Sprint(c.ID), fmt.Sprint(uint8(c.Status))
		have["hotline.completion.value0"], have["hotline.completion.value1"] = fmt.Sprint(c.Value0), fmt.Sprint(c.Value1)
	}
}

// completed returns the content of a completion entry: its command, or the decoded entry if it is
// an injected duplicate.
func completed(e *trace.Event) *trace.Command {
	switch c := e.Command; {
	case c != nil && c.Completed == e.Number:
		return c
	case e.Role == trace.Completion && e.Command == nil:
		c, _ := arch.DecodeCompletion(e.TLP.Data)
		return &trace.Command{ID: c.ID, Status: c.Status, Value0: c.Value0, Value1: c.Value1}
	}
	return nil
}

// agree checks that tshark and package trace decode a capture equally.
func agree(t *testing.T, file []byte) *trace.Trace {
	x, err := trace.Read(bytes.NewReader(file))
	require.NoError(t, err)
	lines := tshark(t, file, fields...)
	require.Len(t, lines, len(x.Events))
	for i := range x.Events {
		require.Equal(t, expected(&x.Events[i]), lines[i], "packet %d: %v", i+1, x.Events[i].Text())
	}
	return x
}

// scripts/captures passes files here.
var tsharkFiles = flag.String("files", "", "captures for TestTsharkOnFiles, with commas in between")

// TestTsharkOnFiles: in captures of whole runs, tshark finds no malformed packet and agrees with
// package trace on every field.
func TestTsharkOnFiles(t *testing.T) {
	if *tsharkFiles == "" {
		t.Skip("no -files; scripts/captures makes some")
	}
	for _, name := range strings.Split(*tsharkFiles, ",") {
		file, err := os.ReadFile(name)
		require.NoError(t, err)
		x := agree(t, file)
		s := x.Summary(1)
		kinds := map[string]int{}
		for _, e := range s.TLPs {
			kinds[e.Type] += e.N
		}
		fmt.Printf("%s: %d packets, %d commands, %v: none malformed, %d fields of each the same\n", filepath.Base(name), s.Packets, s.Commands, kinds, len(fields)-1)
	}
}

func TestTsharkOnARun(t *testing.T) {
	r, _ := run(t)
	agree(t, r.file.Bytes())
}

func TestTsharkOnAReset(t *testing.T) { agree(t, handFile(t, again)) }

func TestTsharkOnLosses(t *testing.T) { agree(t, handFile(t, lost)) }

func TestTsharkOnFaults(t *testing.T) {
	n := 0
	r := newHarness(t, func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
		if dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == arch.CompletionBytes && n == 0 {
			again := *p
			return link.Fate{Behind: []*pcie.TLP{&again}}
		}
		if dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 4 {
			n++
			return link.Fate{Drop: n == 2, Delay: des.Time(n%3) * des.Nanosecond, Cause: "a test"}
		}
		return link.Fate{}
	})
	r.one()
	require.NoError(t, r.writer.Close())
	x := agree(t, r.file.Bytes())
	require.NotEmpty(t, x.Select(trace.Filter{Types: []string{"comment"}}))
	require.NotEmpty(t, x.Select(trace.Filter{Types: []string{"delay"}}))
}

// TestTsharkOnRandomTLPs decodes random valid TLPs; the accelerator of this capture is never set
// up.
func TestTsharkOnRandomTLPs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	w.Function(capture.Function{BAR: link.Window{Base: 0xfe000000, Size: 0x10000}, MSIXOffset: 0x8000})
	for i := range 20_000 {
		w.TLP(link.Direction(rng.IntN(2)), des.Time(i)*1500, capture.Flags(rng.IntN(8)), pcietest.Random(rng, 128))
	}
	require.NoError(t, w.Close())
	agree(t, b.Bytes())
}

// TestTsharkOnMalformedTLPs: an invalid TLP is reported as malformed, with a reason.
func TestTsharkOnMalformedTLPs(t *testing.T) {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, "accelerator")
	require.NoError(t, err)
	w.Function(capture.Function{BAR: link.Window{Base: 0xfe000000, Size: 0x10000}, MSIXOffset: 0x8000})
	w.TLP(link.Up, 5, 0, pcie.NewRead(pcie.NewID(1, 0, 0), 1, 0x1000, 64))
	require.NoError(t, w.Close())
	header := []byte{0, 0, 0, 16, 1, 0, 1, 0xff, 0, 0, 0x10, 0}
	at := bytes.Index(b.Bytes(), header)
	require.Positive(t, at)
	for _, c := range []struct {
		offset int
		value  byte
		want   string
	}{
		{0, 0xff, "unknown first byte 0xff"}, {0, 0x40, "12 bytes, expected 76"}, {1, 2, "LN or TH bit"}, {11, 1, "processing hint in the address"},
	} {
		file := bytes.Clone(b.Bytes())
		file[at+c.offset] = c.value
		lines := tshark(t, file, "_ws.col.Info", "tlp.malformed")
		require.Len(t, lines, 2)
		require.Equal(t, "malformed TLP: "+c.want+"|1", lines[1])
	}
}

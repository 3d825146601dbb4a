package command

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/guest/oncard"
	"github.com/hotline-rtl/hotline/examples/owncard"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// faulty is a server that injects faults.
type faulty struct {
	*process
	dir, control string
	client       *client.Client
}

// startFaulty starts a server with a control socket, and connects a client.
func startFaulty(t *testing.T, args ...string) *faulty {
	dir, err := os.MkdirTemp("", "serve") // short enough for a socket address
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	f := &faulty{dir: dir, control: filepath.Join(dir, "faults")}
	path := filepath.Join(dir, "card")
	f.process = start(t, program(t), append([]string{"serve", "--socket", path, "--control", f.control}, args...)...)
	f.waitFor("listening on " + path)
	f.client, err = client.Open(path)
	require.NoError(t, err)
	return f
}

// inject calls hotline inject.
func (f *faulty) inject(args ...string) (code int, stderr string) {
	code, _, stderr = hotline(append([]string{"inject", "--control", f.control}, args...)...)
	return code, stderr
}

// stop ends the server and returns what it printed.
func (f *faulty) stop(t *testing.T) string {
	require.NoError(t, f.client.Close())
	f.interrupt(syscall.SIGTERM)
	code, _, stderr := f.end()
	require.Equal(t, 143, code, stderr)
	require.NoFileExists(t, f.control)
	return stderr
}

// TestServeFaults: a training on a served card that meets the faults of a plan ends with the same
// parameters as without faults. The server prints each fault, and the rule that was never used.
func TestServeFaults(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "plan.hcl")
	text, lines := "", []string{}
	for _, f := range []string{"drop at completion", "timeout at dma_rd", "ur at command", "poison at dma_wr", "drop at interrupt", "drop at doorbell", "flr at dma_wr", "link_down at dma_rd", "lost_tlp at wire_up"} {
		kind, place, _ := strings.Cut(f, " at ")
		text += "fault \"" + kind + "\" {\n  place = \"" + place + "\"\n  nth = 20\n}\n"
		lines = append(lines, f)
	}
	text += "fault \"timeout\" {\n  place = \"gpu_rd\"\n}\n"
	require.NoError(t, os.WriteFile(plan, []byte(text), 0o644))
	f := startFaulty(t, "--faults", plan)
	dev, err := client.NewDevice(f.client)
	require.NoError(t, err)
	trained, survived, err := oncard.Train(dev, 2, nil)
	require.NoError(t, err)
	require.NotZero(t, survived)
	require.NoError(t, dev.Close())
	stderr := f.stop(t)
	for _, line := range lines {
		require.Regexp(t, `(?m)^fault at \S+: `+line+`, number \d+ there: `, stderr)
	}
	require.Contains(t, stderr, "\nfault timeout at gpu_rd never occurred\n", "a virtual machine has no GPU")

	got, want := filepath.Join(f.dir, "got"), filepath.Join(f.dir, "want")
	require.NoError(t, checkpoint.Write(got, trained))
	code, _, stderr := hotline("train", "--batches", "2", "--checkpoint", want)
	require.Zero(t, code, stderr)
	require.Equal(t, contents(t, want), contents(t, got))
}

// TestInject: faults can be injected into a card in use. A register read without an answer returns
// all ones, and so does every access after the link went down, until the client resets the card.
func TestInject(t *testing.T) {
	f := startFaulty(t)
	id := func() []byte {
		b, err := f.client.Read(client.BAR0, 0, 4)
		require.NoError(t, err)
		return b
	}
	require.NoError(t, f.client.Write(client.Config, 4, 6)) // memory space and bus master
	good, ones := id(), []byte{0xff, 0xff, 0xff, 0xff}
	require.NotEqual(t, ones, good)
	for _, kind := range []string{"timeout", "ur"} {
		code, stderr := f.inject(kind, "register", "--nth", "2")
		require.Zero(t, code, stderr)
		require.Equal(t, [][]byte{good, ones, good}, [][]byte{id(), id(), id()}, kind)
	}
	plan := filepath.Join(f.dir, "plan.hcl")
	require.NoError(t, os.WriteFile(plan, []byte("fault \"link_down\" {\n  place = \"register\"\n}\n"), 0o644))
	code, stderr := f.inject("--faults", plan)
	require.Zero(t, code, stderr)
	id() // this answer is still on its way
	require.Equal(t, [][]byte{ones, ones}, [][]byte{id(), id()})
	_, err := f.client.Call(client.Reset, nil)
	require.NoError(t, err)
	require.NoError(t, f.client.Write(client.Config, 4, 6))
	require.Equal(t, good, id())

	stderr = f.stop(t)
	require.Regexp(t, `(?m)^fault at \S+: timeout at register, number 3 there: CplD`, stderr)
	require.NotContains(t, stderr, "never occurred")
}

// TestInjectMistakes: mistakes are wrong usage, and the server remains usable.
func TestInjectMistakes(t *testing.T) {
	f := startFaulty(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "expected a kind and a place, as timeout dma_rd, or --faults FILE.hcl"},
		{[]string{"timeout"}, "expected a kind and a place"},
		{[]string{"drop", "dma_rd"}, `there is no fault "drop" at dma_rd`},
		{[]string{"timeout", "dma_rd", "--nth", "0"}, "nth is 0; expected at least 1"},
		{[]string{"--faults", filepath.Join(f.dir, "none.hcl")}, "no such file"},
	} {
		code, stderr := f.inject(c.args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, c.want)
	}
	code, _, stderr := hotline("inject", "timeout", "dma_rd")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "--control is missing")
	code, _, stderr = hotline("inject", "timeout", "dma_rd", "--control", filepath.Join(f.dir, "none"))
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "expected the path that 'hotline serve --control' made")

	c, err := net.Dial("unix", f.control)
	require.NoError(t, err)
	_, err = c.Write([]byte("fault \"x\" {\n  place = \"dma_rd\"\n}\n"))
	require.NoError(t, err)
	require.NoError(t, c.(*net.UnixConn).CloseWrite())
	answer := make([]byte, 1000)
	n, err := c.Read(answer)
	require.NoError(t, err)
	require.Contains(t, string(answer[:n]), `plan.hcl:1: there is no fault "x"`)
	require.NoError(t, c.Close())
	require.NotContains(t, f.stop(t), "fault")
}

// TestServeMistakes: the server reports the mistakes of a client's driver once, and with --json all
// of them at the end, with counts.
func TestServeMistakes(t *testing.T) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "card")
	plan := filepath.Join(dir, "plan.hcl")
	require.NoError(t, os.WriteFile(plan, []byte("fault \"ur\" {\n  place = \"register\"\n}\nfault \"flr\" {\n  place = \"vector_wr\"\n}\n"), 0o644))
	p := start(t, program(t), "serve", "--socket", path, "--json", "--faults", plan)
	p.waitFor("listening on " + path)
	c, err := client.Open(path)
	require.NoError(t, err)
	require.NoError(t, c.Write(client.Config, 4, 6)) // memory space and bus master
	write := func(offset uint64, v uint32) { require.NoError(t, c.Write(client.BAR0, offset, client.U32(v)...)) }
	for range 3 {
		_, err = c.Read(client.BAR0, 0x1c, 4)
		require.NoError(t, err)
	}
	write(arch.CSRSQTail, 1)
	for _, base := range []uint64{arch.CSRSQBaseLo, arch.CSRCQBaseLo} {
		write(base, 0x70000000) // not mapped
		write(base+4, 0)
		write(base+8, 1)
	}
	write(arch.CSRControl, 1)
	p.waitFor("driver: unmapped at 0x70000000: access of the device to a page that is not mapped")
	require.NoError(t, c.Close())
	p.interrupt(syscall.SIGTERM)
	_, stdout, stderr := p.end()
	require.Equal(t, 1, strings.Count(stderr, "driver: no_register at 0x1c: access to an address without a register\n"), stderr)
	require.Contains(t, stderr, "driver: early_doorbell at sq_tail: doorbell before both ring addresses were written\n")
	require.Regexp(t, `^{"schema":"hotline.serve/1","version":"[^"]*","mistakes":\[{"kind":"no_register","address":28,"count":3,"first_ps":\d+},{"kind":"early_doorbell","address":60,"count":1,"first_ps":\d+},{"kind":"unmapped","address":1879048192,"count":\d+,"first_ps":\d+}\],"faults":\[{.*"outcome":"unknown"}\],"faults_unused":\[{"kind":"flr","place":"vector_wr","required":false}\]}\n$`, stdout)
	require.Equal(t, listed(t, "hotline serve"), printed(t, stdout))
}

// TestServeOwnCard: a card of one's own is served with its identity, and works. Faults without a
// meaning for it never occur.
func TestServeOwnCard(t *testing.T) {
	const description = "../../../examples/owncard/card.hcl"
	design, err := hw.Elaborate(owncard.Card{})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "engine.ir")
	require.NoError(t, os.WriteFile(file, []byte(design.String()), 0o644))
	f := startFaulty(t, "--card", description, "--design", file)
	id, err := f.client.Read(client.Config, 0, 4)
	require.NoError(t, err)
	require.Equal(t, []byte{0x34, 0x12, 0xde, 0xc0}, id)
	for _, fault := range [][]string{{"drop", "doorbell"}, {"timeout", "dma_rd", "--nth", "2"}} {
		code, stderr := f.inject(fault...)
		require.Zero(t, code, stderr)
	}
	dev, err := client.NewDevice(f.client)
	require.NoError(t, err)
	c, err := owncard.Open(dev)
	require.NoError(t, err)
	memory, err := dev.AllocDMA(2 * owncard.MaxBytes)
	require.NoError(t, err)
	require.NoError(t, memory.Write(0, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}))
	sum, err := c.Copy(memory.Address()+owncard.MaxBytes, memory.Address(), 16)
	require.NoError(t, err)
	require.EqualValues(t, 10, sum)
	_, err = c.Copy(memory.Address()+owncard.MaxBytes, memory.Address(), 16)
	require.ErrorContains(t, err, "owncard: DMA error 1", "a timeout")
	require.NoError(t, dev.Close())
	stderr := f.stop(t)
	require.Regexp(t, `(?m)^fault at \S+: timeout at dma_rd, number 2 there: `, stderr)
	require.Contains(t, stderr, "\nfault drop at doorbell never occurred\n")
	require.NotContains(t, stderr, "driver: ")

	for args, want := range map[string]string{
		"--card " + description: "--card and --design belong together",
		"--design " + file:      "--card and --design belong together",
		"--config x --card " + description + " --design " + file: "leave them out with --card",
		"--card none.hcl --design " + file:                       "none.hcl",
		"--card " + description + " --design " + description:     "card.hcl:2",
	} {
		code, _, stderr := hotline(append([]string{"serve", "--socket", "card"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, code, stderr)
		require.Contains(t, stderr, want)
	}
}

package command

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/vfiouser/client"
	"github.com/hotline-rtl/hotline/scripts/oncard"
)

// TestServe: a driver opens the card of the program, twice; the program says who
// comes and goes, and ends with its socket removed. Its capture has the TLPs of
// both, wherever they have put the card.
func TestServe(t *testing.T) {
	for i, accelerator := range []string{fidelityFunctional, fidelityCycle} {
		dir, err := os.MkdirTemp("", "serve") // short enough for the address of a socket
		require.NoError(t, err)
		defer func() { require.NoError(t, os.RemoveAll(dir)) }()
		path := filepath.Join(dir, "card")
		p := start(t, program(t), "serve", "--socket", path, "--accelerator", accelerator, "--pcapng", filepath.Join(dir, "run.pcapng"))
		p.waitFor("listening on " + path)
		for where := range 2 {
			c, err := client.Open(path)
			require.NoError(t, err)
			require.NoError(t, c.Write(client.Config, 0x13, byte(0x10+where))) // the address of BAR 0
			dev, err := client.NewDevice(c)
			require.NoError(t, err)
			d, err := driver.Open(dev, driver.DefaultOptions())
			require.NoError(t, err)
			require.Equal(t, 8, d.Geometry().Engines)
			_, err = d.Do(driver.Fence())
			require.NoError(t, err)
			require.NoError(t, dev.Close())
			require.NoError(t, c.Close())
			p.waitFor("client connected")
			p.waitFor("client speaks version 0.0: DMA messages of up to 1048576 bytes, 16 descriptors")
		}
		p.interrupt(ends[i].signal)
		code, stdout, stderr := p.end()
		require.Equal(t, ends[i].code, code, stderr)
		require.Empty(t, stdout)
		require.Regexp(t, `client gone: \d+ messages and \d+ bytes from it, \d+ and \d+ to it\nhotline: `+ends[i].word+`\n$`, stderr)
		_, err = os.Stat(path)
		require.ErrorIs(t, err, os.ErrNotExist)

		code, stdout, stderr = hotline("trace", filepath.Join(dir, "run.pcapng"))
		require.Zero(t, code, stderr)
		require.Regexp(t, `^[\d,]+ packets and 2 commands in `, stdout)
		code, stdout, stderr = hotline("trace", filepath.Join(dir, "run.pcapng"), "--type", "completion entry")
		require.Zero(t, code, stderr)
		require.Len(t, strings.Split(strings.TrimSpace(stdout), "\n"), 2)
		code, _, stderr = hotline("trace", filepath.Join(dir, "run.pcapng"), "--replay", "--accelerator", accelerator)
		require.Equal(t, exitUsage, code)
		require.Regexp(t, `the capture is of function .* with BAR 0x1[01]000000\S*, the card is`, stderr)
	}
}

// TestServeWithARudeClient: a client that sends 5,000 commands and reads no answer holds
// up neither the next client, when it goes, nor the end of the program.
func TestServeWithARudeClient(t *testing.T) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "card")
	p := start(t, program(t), "serve", "--socket", path, "--accelerator", fidelityCycle)
	p.waitFor("listening on " + path)
	for range 3 {
		c, err := client.Deaf(path)
		require.NoError(t, err)
		defer func() { _ = c.Close() }()
		require.NoError(t, c.Send(client.Frame{Command: client.Version, Body: client.QEMUVersion()}.Encode()))
		full := make(chan struct{})
		go func() {
			defer close(full)
			read := client.Frame{Command: client.RegionRead, Body: client.AccessBody(0, client.BAR0, 4096)}.Encode()
			for range 5000 {
				if c.Send(read) != nil {
					return
				}
			}
		}()
		p.waitFor("client speaks version 0.0: DMA messages of up to 1048576 bytes, 16 descriptors")
		second, err := client.Dial(path)
		require.NoError(t, err)
		_, err = second.Call(client.Version, client.QEMUVersion())
		require.Equal(t, syscall.EBUSY, err)
		require.NoError(t, second.Close())
		p.waitFor("client refused: another one is connected")
		require.NoError(t, c.Close())
		<-full
		next, err := client.Open(path)
		require.NoError(t, err)
		require.NoError(t, next.Close())
		p.waitFor("client speaks version 0.0: DMA messages of up to 1048576 bytes, 16 descriptors")
	}
	c, err := client.Deaf(path)
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	go func() {
		_ = c.Send(client.Frame{Command: client.Version, Body: client.QEMUVersion()}.Encode())
		for c.Send(client.Frame{Command: client.RegionRead, Body: client.AccessBody(0, client.BAR0, 4096)}.Encode()) == nil {
		}
	}()
	p.waitFor("client speaks version 0.0: DMA messages of up to 1048576 bytes, 16 descriptors")
	p.interrupt(syscall.SIGTERM)
	code, _, stderr := p.end()
	require.Equal(t, 143, code, stderr)
}

// TestServeTrains: a training with the card ends as one on a simulated machine does.
func TestServeTrains(t *testing.T) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "card")
	p := start(t, program(t), "serve", "--socket", path)
	p.waitFor("listening on " + path)
	c, err := client.Open(path)
	require.NoError(t, err)
	dev, err := client.NewDevice(c)
	require.NoError(t, err)
	trained, survived, err := oncard.Train(dev, 2, nil)
	require.NoError(t, err)
	require.Zero(t, survived)
	require.NoError(t, dev.Close())
	require.NoError(t, c.Close())
	p.interrupt(syscall.SIGINT)
	p.end()
	got, want := filepath.Join(dir, "got"), filepath.Join(dir, "want")
	require.NoError(t, checkpoint.Write(got, trained))
	code, _, stderr := hotline("train", "--batches", "2", "--checkpoint", want)
	require.Zero(t, code, stderr)
	require.Equal(t, contents(t, want), contents(t, got))
}

// TestServeWithoutACapture: the file of the capture must be one that can be made.
func TestServeWithoutACapture(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := hotline("serve", "--socket", filepath.Join(dir, "card"), "--pcapng", filepath.Join(dir, "none", "run.pcapng"))
	require.Equal(t, exitUsage, code, stderr)
}

// TestServeWithoutASocket: a path that cannot be a socket is the user's to mend.
func TestServeWithoutASocket(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := hotline("serve", "--socket", dir)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, syscall.EADDRINUSE.Error())
	code, _, _ = hotline("serve", "--socket", filepath.Join(dir, "none", "card"))
	require.Equal(t, exitUsage, code)
	code, _, _ = hotline("serve", "--socket", filepath.Join(dir, strings.Repeat("long", 30)))
	require.Equal(t, exitUsage, code)
}

package command

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/guest/oncard"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// TestServe: a driver opens the card of the program twice. The program reports connections and
// disconnections, and removes its socket at the end. Its capture contains the TLPs of both, at both
// addresses of the card.
func TestServe(t *testing.T) {
	for i, accelerator := range []string{fidelityFunctional, fidelityCycle} {
		dir, err := os.MkdirTemp("", "serve") // short enough for a socket address
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
		require.Regexp(t, `the capture is of function .* with BAR 0x1[01]000000\S*, the device is`, stderr)
	}
}

// TestServeWithARudeClient: a client that sends 5,000 commands and reads no answer delays neither
// the next client after its disconnection, nor the end of the program.
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

// TestServeTrains: a training with the served card has the same result as on a simulated machine.
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

// TestServeWithoutACapture: an invalid path for the capture is wrong usage.
func TestServeWithoutACapture(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := hotline("serve", "--socket", filepath.Join(dir, "card"), "--pcapng", filepath.Join(dir, "none", "run.pcapng"))
	require.Equal(t, exitUsage, code, stderr)
}

// TestServeWithoutASocket: an invalid path for the socket is wrong usage.
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

// served starts a server with these arguments, connects a client for use, and ends the server.
func served(t *testing.T, use func(*client.Client), args ...string) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "card")
	p := start(t, program(t), append([]string{"serve", "--socket", path}, args...)...)
	p.waitFor("listening on " + path)
	c, err := client.Open(path)
	require.NoError(t, err)
	use(c)
	require.NoError(t, c.Close())
	p.interrupt(syscall.SIGTERM)
	code, _, stderr := p.end()
	require.Equal(t, 143, code, stderr)
}

// TestServeSerialNumber: a card has the serial number of --serial, or the documented default.
func TestServeSerialNumber(t *testing.T) {
	for number, args := range map[string][]string{
		"02-00-00-00-00-00-00-01": nil,
		"01-23-45-67-89-ab-cd-ef": {"--serial", "01-23-45-67-89-AB-cd-ef"},
	} {
		served(t, func(c *client.Client) {
			b, err := c.Read(client.Config, 0x150, 12)
			require.NoError(t, err)
			require.Equal(t, []byte{3, 0, 1}, b[:3], "the capability")
			slices.Reverse(b[4:])
			require.Equal(t, number, strings.ReplaceAll(fmt.Sprintf("% x", b[4:]), " ", "-"))
		}, args...)
	}
	for _, wrong := range []string{"", "1", "02-00-00-00-00-00-00", "02-00-00-00-00-00-00-1", "02-00-00-00-00-00-00-0g", "0200000000000001"} {
		code, _, stderr := hotline("serve", "--socket", "card", "--serial", wrong)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "expected 8 bytes in hexadecimal, as 02-00-00-00-00-00-00-01")
	}
}

// TestServeECRC: the client controls whether TLPs have ECRCs. The port above the card generates the
// ECRCs that the card checks.
func TestServeECRC(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.pcapng")
	served(t, func(c *client.Client) {
		for _, enables := range []uint32{0, config.ECRCGenerate, config.ECRCCheck, config.ECRCGenerate | config.ECRCCheck} {
			require.NoError(t, c.Write(client.Config, 0x118, client.U32(enables)...))
			b, err := c.Read(client.Config, 0x118, 4)
			require.NoError(t, err)
			require.Equal(t, client.U32(enables|1<<5|1<<7), b)
		}
	}, "--pcapng", file)
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	r, err := capture.NewReader(f)
	require.NoError(t, err)
	answers := 0
	var enables uint32
	for reading := false; ; {
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		x := &p.TLP
		switch {
		case p.Kind != capture.KindTLP:
			continue
		case x.Kind == pcie.CfgWr0 && x.Addr == 0x118:
			enables = binary.LittleEndian.Uint32(x.Data)
		case x.Kind == pcie.CfgRd0 && x.Addr == 0x118:
			require.Equal(t, enables&config.ECRCCheck != 0, x.TD, "enables %#x", enables)
			reading = true
		case reading && x.Kind == pcie.CplD:
			require.Equal(t, enables&config.ECRCGenerate != 0, x.TD, "enables %#x", enables)
			reading = false
			answers++
		}
		require.True(t, !x.TD || x.Digest == x.ECRC())
	}
	require.Equal(t, 4, answers)
}

// TestKilledServe: the capture of a killed server contains the traffic up to one second before.
func TestKilledServe(t *testing.T) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	path, file := filepath.Join(dir, "card"), filepath.Join(dir, "run.pcapng")
	p := start(t, program(t), "serve", "--socket", path, "--pcapng", file)
	p.waitFor("listening on " + path)
	c, err := client.Open(path)
	require.NoError(t, err)
	for range 10 {
		_, err := c.Read(client.Config, 0, 4)
		require.NoError(t, err)
	}
	growing(t, file, 20) // a request and a completion each
	p.interrupt(syscall.SIGKILL)
	code, _, stderr := p.end()
	require.Equal(t, -1, code, stderr)
	_ = c.Close()
	requireTorn(t, file)
}

//go:build linux

package vfiouser_test

import (
	"io"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// descriptors returns the number of open file descriptors of this process.
func descriptors(t testing.TB) int {
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

// TestPostedIsNotAnswered: posted commands get no answer, whether they succeed or fail.
func TestPostedIsNotAnswered(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	require.NoError(t, c.Post(client.RegionWrite, client.AccessBody(0x30, client.BAR0, 1, 5)))
	require.NoError(t, c.Post(client.RegionWrite, client.AccessBody(0x30, 5, 1, 5)))
	require.NoError(t, c.Post(99, nil))
	got, err := c.Read(client.BAR0, 0x30, 1) // its answer is the next answer
	require.NoError(t, err)
	require.Equal(t, []byte{5}, got)
}

// TestAccessSizes: an access of any size reaches the device as one access.
func TestAccessSizes(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	for _, n := range []int{1, 2, 4, 8, 3, 256} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(n + i)
		}
		require.NoError(t, c.Write(client.BAR0, 0x401, data...))
		got, err := c.Read(client.BAR0, 0x401, n)
		require.NoError(t, err)
		require.Equal(t, data, got)
	}
	require.Equal(t, []int{1, 1, 2, 2, 4, 4, 8, 8, 3, 3, 256, 256}, look(r.toy, func() []int { return r.toy.sizes }))
}

// TestRefusals: invalid commands are rejected with the expected errno, and the connection
// continues.
func TestRefusals(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	f, pipe := r.memory(0x2000), [2]int{}
	require.NoError(t, syscall.Pipe2(pipe[:], syscall.O_CLOEXEC))
	defer func() { _, _ = syscall.Close(pipe[0]), syscall.Close(pipe[1]) }()
	v, err := client.NewEvent()
	require.NoError(t, err)
	defer func() { require.NoError(t, v.Close()) }()
	r.mapped(c, f, 3, 0, 0x10000, 0x2000)
	fd := client.FD(f)
	before := descriptors(t)
	const top = ^uint64(0)
	for _, x := range []struct {
		what    string
		errno   syscall.Errno
		command uint16
		body    []byte
		files   []int
	}{
		{"a second version", syscall.EINVAL, client.Version, client.QEMUVersion(), nil},
		{"an unknown command", syscall.EOPNOTSUPP, 6, nil, nil},
		{"an unknown command of a large number", syscall.EOPNOTSUPP, 0xffff, nil, nil},

		{"a map without length", syscall.EINVAL, client.DMAMap, nil, nil},
		{"a map of nothing", syscall.EINVAL, client.DMAMap, client.MapBody(3, 0, 0, 0), nil},
		{"a map over the end of the address space", syscall.EINVAL, client.DMAMap, client.MapBody(3, 0, top-0xffe, 0x1000), nil},
		{"a map without access", syscall.EINVAL, client.DMAMap, client.MapBody(0, 0, 0, 0x1000), nil},
		{"a map with unknown flags", syscall.EINVAL, client.DMAMap, client.MapBody(7, 0, 0, 0x1000), nil},
		{"a map with two descriptors", syscall.EINVAL, client.DMAMap, client.MapBody(3, 0, 0, 0x1000), []int{fd, fd}},
		{"a map of a pipe", syscall.EINVAL, client.DMAMap, client.MapBody(3, 0, 0, 0x1000), []int{pipe[0]}},
		{"a map behind the end of the file", syscall.EINVAL, client.DMAMap, client.MapBody(3, 0x2000, 0, 1), []int{fd}},
		{"a map over the end of the file", syscall.EINVAL, client.DMAMap, client.MapBody(3, 0x1000, 0, 0x1001), []int{fd}},
		{"a map over another one", syscall.EEXIST, client.DMAMap, client.MapBody(3, 0, 0xf001, 0x1000), []int{fd}},
		{"a map inside another one", syscall.EEXIST, client.DMAMap, client.MapBody(3, 0, 0x10004, 4), nil},
		{"an unmap of nothing", syscall.EINVAL, client.DMAUnmap, client.UnmapBody(0, 0, 0), nil},
		{"an unmap over the end", syscall.EINVAL, client.DMAUnmap, client.UnmapBody(0, 0x1001, top-0xfff), nil},
		{"an unmap of all from an address", syscall.EINVAL, client.DMAUnmap, client.UnmapBody(2, 0x1000, 0), nil},
		{"an unmap that asks for dirty pages", syscall.EINVAL, client.DMAUnmap, client.UnmapBody(1, 0, 0x1000), nil},
		{"an unmap with a descriptor", syscall.EINVAL, client.DMAUnmap, client.UnmapBody(0, 0, 0x1000), []int{fd}},

		{"information into too little room", syscall.EINVAL, client.GetInfo, client.U32(15, 0, 0, 0), nil},
		{"information of a region into too little room", syscall.EINVAL, client.RegionInfo, append(client.U32(31, 0, 0, 0), client.U64(0, 0)...), nil},
		{"information of a region that there is not", syscall.EINVAL, client.RegionInfo, append(client.U32(32, 0, 9, 0), client.U64(0, 0)...), nil},
		{"information of an index that there is not", syscall.EINVAL, client.IRQInfo, client.U32(16, 0, 5, 0), nil},

		{"a read of nothing", syscall.EINVAL, client.RegionRead, client.AccessBody(0, client.BAR0, 0), nil},
		{"a read with data", syscall.EINVAL, client.RegionRead, client.AccessBody(0, client.BAR0, 4, 1, 2, 3, 4), nil},
		{"a read behind the end", syscall.EINVAL, client.RegionRead, client.AccessBody(toyBytes, client.BAR0, 1), nil},
		{"a read over the end", syscall.EINVAL, client.RegionRead, client.AccessBody(toyBytes-3, client.BAR0, 4), nil},
		{"a read whose end overflows", syscall.EINVAL, client.RegionRead, client.AccessBody(top-1, client.BAR0, 4), nil},
		{"a read of too much", syscall.EINVAL, client.RegionRead, client.AccessBody(0, client.Config, math.MaxUint32), nil},
		{"a read of an absent region", syscall.EINVAL, client.RegionRead, client.AccessBody(0, 6, 1), nil},
		{"a read of a region that there is not", syscall.EINVAL, client.RegionRead, client.AccessBody(0, 1<<31, 1), nil},
		{"a write with too little data", syscall.EINVAL, client.RegionWrite, client.AccessBody(0, client.BAR0, 4, 1, 2, 3), nil},
		{"a write over the end of the configuration space", syscall.EINVAL, client.RegionWrite, client.AccessBody(4095, client.Config, 2, 1, 2), nil},
		{"a reset with a body", syscall.EINVAL, client.Reset, []byte{1}, nil},

		{"eventfds for too many vectors", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 0, vectors+1), nil},
		{"an eventfd for a vector that there is not", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, vectors, 1), []int{v.FD()}},
		{"vectors whose number overflows", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 1, math.MaxUint32), nil},
		{"fewer eventfds than vectors", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 0, 2), []int{v.FD()}},
		{"more eventfds than vectors", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 0, 1), []int{v.FD(), v.FD()}},
		{"no eventfd", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 0, 1), []int{pipe[1]}},
		{"eventfds to mask with", syscall.EINVAL, client.SetIRQs, client.IRQBody(files|mask, client.MSIX, 0, 1), []int{v.FD()}},
		{"an eventfd with another form of data", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|trigger, client.MSIX, 0, 1), []int{v.FD()}},
		{"bools that are too few", syscall.EINVAL, client.SetIRQs, client.IRQBody(bools|trigger, client.MSIX, 0, 2, 1), nil},
		{"no data with data", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|trigger, client.MSIX, 0, 1, 1), nil},
		{"two forms of data", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|bools|trigger, client.MSIX, 0, 1, 1), nil},
		{"no form of data", syscall.EINVAL, client.SetIRQs, client.IRQBody(trigger, client.MSIX, 0, 1), nil},
		{"two actions", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|mask|trigger, client.MSIX, 0, 1), nil},
		{"no action", syscall.EINVAL, client.SetIRQs, client.IRQBody(none, client.MSIX, 0, 1), nil},
		{"an unknown action", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|trigger|0x40, client.MSIX, 0, 1), nil},
		{"masking of no vector", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|mask, client.MSIX, 0, 0), nil},
		{"interrupts of an index without", syscall.EINVAL, client.SetIRQs, client.IRQBody(none|trigger, 0, 0, 0), nil},
		{"a wrong length", syscall.EINVAL, client.SetIRQs, client.U32(21, none|trigger, client.MSIX, 0, 1), nil},
	} {
		t.Run(x.what, func(t *testing.T) {
			refused(t, c, x.errno, x.command, x.body, x.files...)
			require.Equal(t, before, descriptors(t))
		})
	}
	many := make([]int, 17)
	for i := range many {
		many[i] = v.FD()
	}
	refused(t, c, syscall.EINVAL, client.SetIRQs, client.IRQBody(files|trigger, client.MSIX, 0, 17), many...)
	for _, flags := range []uint32{0x40, 0x20, 1 << 31, 2, 3, 4, 8, 14, 15} { // unknown bits, and types other than command and reply
		require.NoError(t, c.Send(client.Frame{ID: 5, Command: client.Reset, Flags: flags}.Encode()))
		a, err := c.Answer()
		require.NoError(t, err)
		require.Equal(t, client.Frame{ID: 5, Command: client.Reset, Flags: client.Reply | client.Failure, Errno: syscall.EINVAL, Body: []byte{}, Arrived: a.Arrived}, a)
	}
	require.Zero(t, look(r.toy, func() int { return r.toy.resets }))
	require.Equal(t, before, descriptors(t))
}

// TestVersions: a client with an incompatible version is disconnected.
func TestVersions(t *testing.T) {
	r := newHarness(t)
	for what, x := range map[string]struct {
		command uint16
		body    []byte
		errno   syscall.Errno
	}{
		"another major version": {client.Version, client.U32(1), syscall.EPROTONOSUPPORT},
		"no version":            {client.Version, nil, syscall.EINVAL},
		"no NUL":                {client.Version, append(client.U32(0), `{}`...), syscall.EINVAL},
		"a NUL in between":      {client.Version, append(client.U32(0), "{}\x00{}\x00"...), syscall.EINVAL},
		"no JSON":               {client.Version, append(client.U32(0), "{\x00"...), syscall.EINVAL},
		"a number too small":    {client.Version, append(client.U32(0), `{"capabilities":{"max_data_xfer_size":0}}`+"\x00"...), syscall.EINVAL},
		"a negative number":     {client.Version, append(client.U32(0), `{"capabilities":{"max_data_xfer_size":-1}}`+"\x00"...), syscall.EINVAL},
	} {
		c, err := client.Dial(r.path)
		require.NoError(t, err)
		_, err = c.Call(x.command, x.body)
		require.Equal(t, x.errno, err, what)
		_, err = c.Answer()
		require.Equal(t, io.EOF, err, what)
		require.NoError(t, c.Close())
	}
	c, err := client.Dial(r.path)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	refused(t, c, syscall.EINVAL, client.GetInfo, client.U32(16, 0, 0, 0)) // the version must be first
	_, err = c.Call(client.Version, client.U32(7<<16))
	require.NoError(t, err, "a minor version and no JSON are fine")
	refused(t, c, syscall.EINVAL, client.Version, client.U32(1)) // the negotiated version is kept
	_, err = c.Read(client.BAR0, 0, 4)
	require.NoError(t, err)
}

// TestFrames: message boundaries do not depend on how the bytes are sent. A message with an invalid
// length is answered, and then the connection ends.
func TestFrames(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	read := client.Frame{ID: 1, Command: client.RegionRead, Body: client.AccessBody(0, client.BAR0, 4)}.Encode()
	for i := range read {
		require.NoError(t, c.Send(read[i:i+1]))
	}
	require.NoError(t, c.Send(append(append([]byte{}, read...), read...)))
	for range 3 {
		a, err := c.Answer()
		require.NoError(t, err)
		require.Len(t, a.Body, 20)
	}
	require.NoError(t, c.Close())
	for _, size := range []uint32{0, 15, 16 + 16 + 1<<20 + 1, 1 << 31, 0xffffffff} {
		c := r.connect()
		b := append(client.U32(9|client.Reset<<16), client.U32(size, 0, 0)...)
		require.NoError(t, c.Send(append(append([]byte{}, read...), b...)))
		a, err := c.Answer() // earlier messages are answered first
		require.NoError(t, err)
		require.EqualValues(t, 1, a.ID)
		a, err = c.Answer()
		require.NoError(t, err)
		require.Equal(t, client.Frame{ID: 9, Command: client.Reset, Flags: client.Reply | client.Failure, Errno: syscall.EINVAL, Body: []byte{}, Arrived: 3}, a)
		_, err = c.Answer()
		require.Equal(t, io.EOF, err)
		require.NoError(t, c.Close())
		if size == 15 {
			r.said("vfiouser: broken message: 15 bytes, expected 16 to 1048608")
		}
	}
}

// said waits for a line of the log.
func (r *harness) said(want string) {
	for line := range r.log {
		if strings.Contains(line, want) {
			return
		}
	}
}

// TestPathThatExists: a server does not take over another server's socket.
func TestPathThatExists(t *testing.T) {
	r := newHarness(t)
	err := r.server.Serve(t.Context(), r.path)
	require.ErrorContains(t, err, "address already in use; if no server uses the socket, remove it")
}

// TestPathWithoutFolder: the advice to remove a socket is only given for a socket that exists.
func TestPathWithoutFolder(t *testing.T) {
	r := newHarness(t)
	err := r.server.Serve(t.Context(), r.path+".missing/socket")
	require.ErrorContains(t, err, "no such file or directory")
	require.NotContains(t, err.Error(), "remove it")
}

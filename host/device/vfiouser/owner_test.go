//go:build linux

package vfiouser_test

import (
	"encoding/binary"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// TestNextClient: after a client has disconnected, the device is reset, and the windows, eventfds
// and pending interrupts of the client are removed.
func TestNextClient(t *testing.T) {
	r := newHarness(t)
	before := descriptors(t)
	c := r.connect()
	f := r.memory(0x1000)
	r.mapped(c, f, 3, 0, 0, 0x1000)
	fired := r.event(c, 0)
	require.NoError(t, c.Write(client.Config, 4, 6))
	r.fire(c, 1) // pending
	require.Zero(t, look(r.toy, func() int { return r.toy.resets }))
	require.NoError(t, c.Close())
	next := r.connect()
	require.Equal(t, 1, look(r.toy, func() int { return r.toy.resets }))
	got, err := next.Read(client.Config, 4, 1)
	require.NoError(t, err)
	require.Equal(t, []byte{0}, got)
	require.Equal(t, before+4, descriptors(t), "the file, the eventfd, both ends of the socket")
	require.Error(t, r.reaches(next, 0))
	require.Zero(t, r.event(next, 1).Count())
	r.setIRQs(next, none|trigger, 0, 1)
	require.Zero(t, fired.Count())
	require.EqualValues(t, 1, r.event(next, 0).Count())
}

// TestSecondClientIsRefused: while a client is served, other clients get EBUSY for any first
// message and are disconnected. The served client is not affected. After it has disconnected, the
// next client is served.
func TestSecondClientIsRefused(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	for range 40 {
		other, err := client.Dial(r.path)
		require.NoError(t, err)
		_, err = other.Call(client.Version, client.QEMUVersion())
		require.Equal(t, syscall.EBUSY, err)
		_, err = other.Answer()
		require.Equal(t, io.EOF, err)
		require.NoError(t, other.Close())
		r.said("client refused: another one is connected")
		_, err = c.Read(client.BAR0, 0, 4)
		require.NoError(t, err)
	}
	silent, err := client.Dial(r.path) // sends nothing and is disconnected
	require.NoError(t, err)
	defer func() { _ = silent.Close() }()
	_, err = silent.Answer()
	require.Equal(t, io.EOF, err)
	require.NoError(t, c.Close())
	r.connect()
}

// slowly makes each access of the device take a millisecond, and counts accesses. The first access
// waits for the release.
func (r *harness) slowly() (count *atomic.Int64, release func()) {
	first, count := make(chan struct{}), new(atomic.Int64)
	look(r.toy, func() bool {
		r.toy.inside = func() {
			if count.Add(1) == 1 {
				<-first
			}
			time.Sleep(time.Millisecond)
		}
		return true
	})
	return count, func() { close(first) }
}

// The rude clients send many commands. At least enough of them are in flight before the server may
// execute the second command.
const (
	many   = 5000
	enough = 200 // fewer than the capacity of the server
)

// flood sends a frame many times until the connection ends. It returns when enough are sent.
func flood(t testing.TB, c *client.Client, f client.Frame) {
	sent := make(chan struct{})
	go func() {
		b := f.Encode()
		for i := range many {
			if c.Send(b) != nil {
				return
			}
			if i == enough {
				close(sent)
			}
		}
	}()
	select {
	case <-sent:
	case <-time.After(client.Patience):
		t.Fatal("the server takes no commands")
	}
}

// hold makes the toy start a DMA read and a DMA write by messages, and does not answer.
func (r *harness) hold(c *client.Client) (read client.Frame) {
	look(r.toy, func() bool { r.toy.inside = nil; return true })
	require.NoError(r.t, c.Write(client.Config, 4, 6))
	_, err := c.Call(client.DMAMap, client.MapBody(3, 0, 0, 0x1000))
	require.NoError(r.t, err)
	r.dma(c, toyRead, 0, 8, 0)
	read, err = c.Take(client.Patience)
	require.NoError(r.t, err)
	return read
}

// rude contains clients that violate the protocol's expectations.
var rude = map[string]func(*harness) *client.Client{
	"posts 5,000 commands": func(r *harness) *client.Client {
		c := r.connect()
		flood(r.t, c, client.Frame{Command: client.RegionWrite, Flags: client.Posted, Body: client.AccessBody(0, client.BAR0, 1, 1)})
		return c
	},
	"asks for 5,000 answers and reads none": func(r *harness) *client.Client {
		c := r.deaf()
		flood(r.t, c, client.Frame{Command: client.RegionRead, Body: client.AccessBody(0, client.BAR0, toyBytes)})
		return c
	},
	"holds a DMA read": func(r *harness) *client.Client {
		c := r.connect()
		r.hold(c)
		return c
	},
	"dies in the answer to a DMA read": func(r *harness) *client.Client {
		c := r.connect()
		f := r.hold(c)
		answer := client.Frame{ID: f.ID, Command: f.Command, Flags: client.Reply, Body: append(f.Body, make([]byte, 8)...)}.Encode()
		require.NoError(r.t, c.Send(answer[:len(answer)-3]))
		return c
	},
	"dies in a header": func(r *harness) *client.Client {
		c := r.connect()
		require.NoError(r.t, c.Send([]byte{1, 0, 9}))
		return c
	},
	"is one of many": func(r *harness) *client.Client {
		c := r.connect()
		for range 20 {
			other, err := client.Dial(r.path)
			require.NoError(r.t, err)
			r.t.Cleanup(func() { _ = other.Close() })
			_, err = other.Call(client.Version, client.QEMUVersion())
			require.Equal(r.t, syscall.EBUSY, err)
		}
		return c
	},
}

// notice is the time for the server to detect a disconnect while a command executes. If it is too
// short, the server executes some more commands.
const notice = 100 * time.Millisecond

// deaf returns a client that never reads from its socket.
func (r *harness) deaf() *client.Client {
	c, err := client.Deaf(r.path)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = c.Close() })
	require.NoError(r.t, c.Send(client.Frame{Command: client.Version, Body: client.QEMUVersion()}.Encode()))
	return c
}

// TestRudeClients: state left by a rude client does not affect the next client.
func TestRudeClients(t *testing.T) {
	for name, behave := range rude {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t)
			count, release := r.slowly()
			require.NoError(t, behave(r).Close())
			time.Sleep(notice)
			release()
			next := r.connect()
			n := count.Load()
			require.Less(t, n, int64(enough), "what the client has left behind was carried out")
			_, err := next.Read(client.Config, 0, 4)
			require.NoError(t, err)
			require.Equal(t, n, count.Load())
		})
	}
}

// TestEndWithRudeClients: the server can end while a rude client is connected.
func TestEndWithRudeClients(t *testing.T) {
	for name, behave := range rude {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t)
			count, release := r.slowly()
			behave(r)
			time.AfterFunc(notice, release)
			r.stop()
			require.Less(t, count.Load(), int64(enough), "what the client has sent was carried out")
			_, err := os.Stat(r.path)
			require.ErrorIs(t, err, os.ErrNotExist)
		})
	}
}

// TestEndWithClient: the server can end while a client is connected and a DMA waits for its answer.
func TestEndWithClient(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	_, err := c.Call(client.DMAMap, client.MapBody(3, 0, 0, 0x1000))
	require.NoError(t, err)
	r.dma(c, toyRead, 0, 8, 0)
	r.stop()
	require.Error(t, <-r.toy.outcomes)
	_, err = c.Answer()
	require.Equal(t, io.EOF, err)
	_, err = os.Stat(r.path)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestManyPosted: a client may post any number of commands, and waits when the server's queue is
// full. Their order is preserved.
func TestManyPosted(t *testing.T) {
	r := newHarness(t)
	c := r.connect()
	for i := range uint32(20_000) {
		require.NoError(t, c.Post(client.RegionWrite, client.AccessBody(0x30, client.BAR0, 4, client.U32(i)...)))
	}
	got, err := c.Read(client.BAR0, 0x30, 4)
	require.NoError(t, err)
	require.EqualValues(t, 19_999, binary.LittleEndian.Uint32(got))
}

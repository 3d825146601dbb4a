//go:build linux

package vfiouser

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"
	"syscall"
)

// Bits of DMA_MAP and DMA_UNMAP.
const (
	mapRead  = 1
	mapWrite = 2
	unmapAll = 2
)

// windows are the addresses that the client lets the device reach, in order. A
// transfer to a file holds the lock for reading, so that unmapping waits for it.
type windows struct {
	mutex sync.RWMutex
	list  []window
	files map[fileKey]*sharedFile
}

// window is a range of addresses. The last address is kept instead of the size,
// since a window may end with the address space.
type window struct {
	first, last uint64
	readable    bool
	writable    bool
	file        *sharedFile // nil: reached by messages
	offset      uint64      // of first in the file
}

// allows reports whether the client lets the device do a DMA command in a window.
func (x *window) allows(command uint16) bool {
	if command == cmdDMARead {
		return x.readable
	}
	return x.writable
}

// sharedFile is a file with memory of the client. With a guest IOMMU each page comes
// with a descriptor of the same file, of which one is kept.
type sharedFile struct {
	key fileKey
	fd  int
	use int // windows
}

type fileKey struct{ device, inode uint64 }

// unmapped is the error that an address is not reachable in this way.
type unmapped struct {
	op   string
	addr uint64
}

func (u *unmapped) Error() string {
	return fmt.Sprintf("vfiouser: DMA %s at %#x, which the client has not mapped for it", u.op, u.addr)
}

// find gives the index of the first window that ends at or behind addr.
func (w *windows) find(addr uint64) int {
	return sort.Search(len(w.list), func(i int) bool { return w.list[i].last >= addr })
}

// add adds a window that overlaps no other; it takes fd unless that is -1.
func (w *windows) add(x window, fd int) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	i := w.find(x.first)
	switch {
	case i < len(w.list) && w.list[i].first <= x.last:
		return syscall.EEXIST
	case len(w.list) == maxWindows:
		return syscall.ENOSPC
	}
	if fd >= 0 {
		var err error
		if x.file, err = w.share(fd, x.offset, x.last-x.first); err != nil {
			return err
		}
	}
	w.list = slices.Insert(w.list, i, x)
	return nil
}

// share gives the file behind a descriptor that it takes. The file must be a
// regular one and hold bytes offset to offset+most.
func (w *windows) share(fd int, offset, most uint64) (*sharedFile, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG || offset >= uint64(st.Size) || most >= uint64(st.Size)-offset {
		return nil, syscall.EINVAL
	}
	key := fileKey{uint64(st.Dev), st.Ino}
	f := w.files[key]
	if f != nil {
		_ = syscall.Close(fd)
	} else {
		f = &sharedFile{key: key, fd: fd}
		w.files[key] = f
	}
	f.use++
	return f, nil
}

// remove drops the windows in first to last, and returns when no transfer touches them
// any more. The error is that a window is in there in part only; all stay then.
func (w *windows) remove(first, last uint64) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	inside := func(x window) bool { return x.first <= last && x.last >= first }
	for _, x := range w.list {
		if inside(x) && (x.first < first || x.last > last) {
			return syscall.EINVAL
		}
	}
	w.list = slices.DeleteFunc(w.list, func(x window) bool {
		if inside(x) && x.file != nil {
			w.release(x.file)
		}
		return inside(x)
	})
	return nil
}

// release closes a file with its last window.
func (w *windows) release(f *sharedFile) {
	if f.use--; f.use == 0 {
		_ = syscall.Close(f.fd)
		delete(w.files, f.key)
	}
}

// dmaMap adds a window. It goes by messages if no file comes with it, or if the
// server is told so.
func (s *session) dmaMap(m *message) ([][]byte, error) {
	if len(m.body) != mapBytes || le.Uint32(m.body) < mapBytes {
		return nil, syscall.EINVAL
	}
	flags, offset, addr, size := le.Uint32(m.body[4:]), le.Uint64(m.body[8:]), le.Uint64(m.body[16:]), le.Uint64(m.body[24:])
	last := addr + size - 1
	if flags&^(mapRead|mapWrite) != 0 || flags == 0 || size == 0 || last < addr || len(m.files) > 1 {
		return nil, syscall.EINVAL
	}
	x := window{first: addr, last: last, readable: flags&mapRead != 0, writable: flags&mapWrite != 0, offset: offset}
	if len(m.files) == 0 || s.server.Messages {
		return nil, s.windows.add(x, -1)
	}
	if err := s.windows.add(x, m.files[0]); err != nil {
		return nil, err
	}
	m.files = nil
	return nil, nil
}

// dmaUnmap drops windows as VFIO's type 1 version 2 does: what was never mapped, several
// whole windows, and a range that ends with the address space are fine, a part of a
// window is not.
func (s *session) dmaUnmap(m *message) ([][]byte, error) {
	if len(m.body) != unmapBytes || le.Uint32(m.body) < unmapBytes {
		return nil, syscall.EINVAL
	}
	flags, addr, size := le.Uint32(m.body[4:]), le.Uint64(m.body[8:]), le.Uint64(m.body[16:])
	last := addr + size - 1
	switch {
	case flags == unmapAll && addr == 0 && size == 0:
		last = math.MaxUint64
	case flags != 0 || size == 0 || last < addr:
		return nil, syscall.EINVAL
	}
	if err := s.windows.remove(addr, last); err != nil {
		return nil, err
	}
	return [][]byte{m.body}, nil
}

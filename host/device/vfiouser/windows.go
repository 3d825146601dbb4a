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

// Flags of DMA_MAP and DMA_UNMAP.
const (
	mapRead  = 1
	mapWrite = 2
	unmapAll = 2
)

// windows contains the address ranges that the device may access, in ascending order. A transfer to
// a file holds the read lock, so that unmapping waits for it.
type windows struct {
	mutex sync.RWMutex
	list  []window
	files map[fileKey]*sharedFile
}

// window is a range of addresses. It stores the last address instead of the size, because a window
// may end at the end of the address space.
type window struct {
	first, last uint64
	readable    bool
	writable    bool
	file        *sharedFile // nil: accessed by messages
	offset      uint64      // file offset of first
}

// allows reports whether a window permits a DMA command.
func (x *window) allows(command uint16) bool {
	if command == cmdDMARead {
		return x.readable
	}
	return x.writable
}

// sharedFile is a file with memory of the client. With a guest IOMMU, each page is mapped with a
// file descriptor of the same file; only one file descriptor is kept.
type sharedFile struct {
	key fileKey
	fd  int
	use int // number of windows
}

type fileKey struct{ device, inode uint64 }

// unmapped is the error that an address is not mapped for an operation.
type unmapped struct {
	op   string
	addr uint64
}

func (u *unmapped) Error() string {
	return fmt.Sprintf("vfiouser: DMA %s at %#x, which the client has not mapped for it", u.op, u.addr)
}

// find returns the index of the first window that ends at or after addr.
func (w *windows) find(addr uint64) int {
	return sort.Search(len(w.list), func(i int) bool { return w.list[i].last >= addr })
}

// add adds a window that must not overlap another window. It takes ownership of fd unless fd is -1.
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

// share returns the file of a file descriptor and takes ownership of the descriptor. The file must
// be regular and contain the bytes offset to offset+most.
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

// remove drops the windows in first to last, and returns when no transfer accesses them. It returns
// an error and drops nothing if a window is only partly in this range.
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

// dmaMap adds a window. The window is accessed by messages if the client passes no file, or if the
// server is configured for messages.
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

// dmaUnmap drops windows like version 2 of VFIO type 1. It accepts unmapped ranges, ranges of
// several whole windows, and a range that ends at the end of the address space. It rejects a part
// of a window.
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

package outfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// crash is the environment variable with the path that a child process of TestCrash writes.
const crash = "OUTFILE_CRASH"

func TestMain(m *testing.M) {
	if path := os.Getenv(crash); path != "" {
		f, err := Create(path)
		if err == nil {
			_, err = f.Write([]byte("after"))
		}
		if err == nil {
			err = f.finish()
		}
		fmt.Fprintln(os.Stderr, err)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	os.Exit(m.Run())
}

// TestCrash: a process that is killed before the rename leaves the old content.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o600))
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), crash+"="+path)
	log, err := c.CombinedOutput()
	require.ErrorContains(t, err, "killed")
	require.Equal(t, "<nil>\n", string(log))
	require.Equal(t, "before", text(t, path))
	left := names(t, filepath.Dir(path))
	require.Len(t, left, 2)
	require.True(t, strings.HasPrefix(left[0], prefix))
	require.Equal(t, "file", left[1])
	require.NoError(t, WriteBytes(path, []byte("again")))
	require.Equal(t, "again", text(t, path), "what was left is in nobody's way")
}

func text(t *testing.T, path string) string {
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

func names(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestConcurrent: readers always see one complete content, regardless of the number of writers.
func TestConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	content := func(n int) []byte { return bytes.Repeat([]byte{'a' + byte(n)}, 50_000) }
	require.NoError(t, WriteBytes(path, content(0)))
	var writers sync.WaitGroup
	errs := make(chan error, 100)
	for n := range 4 {
		writers.Go(func() {
			for range 20 {
				errs <- WriteBytes(path, content(n))
			}
		})
	}
	done := make(chan bool)
	go func() { writers.Wait(); close(errs); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		got := text(t, path)
		require.True(t, got == strings.Repeat(got[:1], 50_000), "half a file")
	}
	for err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, []string{"file"}, names(t, filepath.Dir(path)))
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "file")
	mode := func() os.FileMode {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Mode()
	}
	require.NoError(t, WriteBytes(path, nil))
	require.EqualValues(t, 0o640, mode(), "as the umask says")
	require.NoError(t, os.Chmod(path, 0o604))
	require.NoError(t, WriteBytes(path, nil))
	require.EqualValues(t, 0o604, mode(), "as before")
	file, err := Stream(path)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.EqualValues(t, 0o604, mode())
	require.NoError(t, os.Remove(path))
	require.NoError(t, WriteProgram(path, nil))
	require.EqualValues(t, 0o750, mode())
}

// TestFailure: if the content cannot be produced, the old content remains, and no other file is
// left.
func TestFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, WriteBytes(path, []byte("before")))
	wrong := errors.New("wrong")
	err := Write(path, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, wrong)
	})
	require.ErrorIs(t, err, wrong)
	require.Equal(t, "before", text(t, path))
	require.Equal(t, []string{"file"}, names(t, filepath.Dir(path)))
}

// TestRefused checks the error for each kind of path that cannot hold the content, for all ways of
// writing.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(in("folder"), 0o700))
	require.NoError(t, os.Symlink("folder", in("to-folder")))
	require.NoError(t, os.Symlink("loop", in("loop")))
	require.NoError(t, os.Symlink("nowhere/file", in("dangling")))
	require.NoError(t, os.WriteFile(in("file"), nil, 0o600))
	listener, err := net.Listen("unix", in("socket"))
	require.NoError(t, err)
	defer listener.Close()
	before := names(t, dir)
	for path, cause := range map[string]error{
		"":                              ErrKind,
		in("folder"):                    ErrKind,
		in("folder") + "/":              ErrKind,
		in("new") + "/":                 ErrKind,
		in("to-folder"):                 ErrKind,
		in("socket"):                    ErrKind,
		in("loop"):                      syscall.ELOOP,
		in("nowhere/file"):              fs.ErrNotExist,
		in("dangling"):                  fs.ErrNotExist,
		in("file/below"):                syscall.ENOTDIR,
		in(strings.Repeat("long", 100)): syscall.ENAMETOOLONG,
		in("a\x00b"):                    syscall.EINVAL,
	} {
		_, streamed := Stream(path)
		for way, err := range map[string]error{"Check": Check(path), "Write": WriteBytes(path, nil), "Stream": streamed} {
			require.ErrorIs(t, err, cause, "%s %q", way, path)
			var e *Error
			require.ErrorAs(t, err, &e, "%s %q", way, path)
			require.True(t, e.Place(), "%s %q: %v", way, path, err)
			require.Equal(t, path, e.Path)
		}
	}
	require.ErrorIs(t, kind(fs.ModeDevice), ErrKind, "a block device")
	require.NoError(t, kind(fs.ModeDevice|fs.ModeCharDevice))
	require.False(t, (&Error{Err: syscall.ENOSPC}).Place())
	require.Equal(t, before, names(t, dir))
}

// TestCheck: Check changes nothing.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(in("file"), []byte("before"), 0o600))
	require.NoError(t, syscall.Mkfifo(in("pipe"), 0o600))
	require.NoError(t, os.Symlink("absent", in("link")))
	before := names(t, dir)
	for _, name := range []string{"new", "file", "pipe", "link"} { // a pipe without a reader must not block
		require.NoError(t, Check(in(name)), name)
	}
	require.NoError(t, Check("/dev/null"))
	require.NoError(t, Check(in("new"), "/dev/null", "/dev/null"))
	require.ErrorIs(t, Check(in("new"), in("absent"), in("link")), ErrTwice)
	require.EqualError(t, Check(in("file"), in(".//file")), "open "+in(".//file")+": another result goes to the same file; name another file ("+in("file")+")")
	require.NoError(t, Check())
	require.Equal(t, before, names(t, dir))
	require.Equal(t, "before", text(t, in("file")))
}

// TestLinkToNothing: writing to a dangling link creates its target.
func TestLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink("target", filepath.Join(dir, "link")))
	require.NoError(t, WriteBytes(filepath.Join(dir, "link"), []byte("content")))
	require.Equal(t, []string{"link", "target"}, names(t, dir))
	require.Equal(t, "content", text(t, filepath.Join(dir, "target")))
}

// TestDescriptor: writing to a path of an open file continues at the file's position, and does not
// replace the file.
func TestDescriptor(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	log, err := os.Create(path)
	require.NoError(t, err)
	defer log.Close()
	_, err = log.WriteString("first\n")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(fmt.Sprintf("/proc/self/fd/%d", log.Fd()), filepath.Join(dir, "link")))
	for _, name := range []string{fmt.Sprintf("/dev/fd/%d", log.Fd()), fmt.Sprintf("/proc/self/fd/%d", log.Fd()), filepath.Join(dir, "link")} {
		require.NoError(t, Check(name))
		require.NoError(t, WriteBytes(name, []byte("next\n")))
	}
	file, err := Stream(filepath.Join(dir, "link"))
	require.NoError(t, err)
	_, err = file.WriteString("stream\n")
	require.NoError(t, errors.Join(err, file.Close()))
	_, err = log.WriteString("last\n")
	require.NoError(t, err)
	require.Equal(t, "first\nnext\nnext\nnext\nstream\nlast\n", text(t, path))
	require.Equal(t, []string{"link", "log"}, names(t, dir))
}

// TestStream: two streams to one path do not mix, and a reader of the old file keeps its content.
func TestStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, WriteBytes(path, []byte("before")))
	reader, err := os.Open(path)
	require.NoError(t, err)
	defer reader.Close()
	first, err := Stream(path)
	require.NoError(t, err)
	_, err = first.WriteString("first")
	require.NoError(t, err)
	require.Equal(t, "first", text(t, path), "it is there while it grows")
	require.Equal(t, path, first.Name(), "for messages")
	second, err := Stream(path)
	require.NoError(t, err)
	_, err = second.WriteString("second")
	require.NoError(t, err)
	_, err = first.WriteString(", to the end")
	require.NoError(t, errors.Join(err, first.Close(), second.Close()))
	require.Equal(t, "second", text(t, path))
	old, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, "before", string(old))
}

// TestSet: if one file of a set cannot be written, no file changes.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(in("a"), []byte("before"), 0o600))
	var bad Set
	require.NoError(t, bad.Add(in("a"), []byte("after")))
	require.Error(t, bad.Add(in("nowhere/b"), []byte("after")))
	require.NoError(t, bad.Close())
	require.Equal(t, []string{"a"}, names(t, dir))
	require.Equal(t, "before", text(t, in("a")))

	var good Set
	require.NoError(t, good.Add(in("a"), []byte("after")))
	require.NoError(t, good.Add(in("b"), []byte("new")))
	require.Equal(t, "before", text(t, in("a")))
	require.NoError(t, good.Commit())
	require.NoError(t, good.Close())
	require.Equal(t, []string{"a", "b"}, names(t, dir))
	require.Equal(t, "after"+"new", text(t, in("a"))+text(t, in("b")))
}

func TestPublish(t *testing.T) {
	dir := t.TempDir()
	work, path := filepath.Join(dir, "work"), filepath.Join(dir, "done")
	require.NoError(t, Folder(filepath.Join(work, "inner")))
	require.NoError(t, Scratch(filepath.Join(work, "inner", "file"), []byte("content")))
	require.NoError(t, Publish(work, path))
	require.Equal(t, []string{"done"}, names(t, dir))
	require.Equal(t, "content", text(t, filepath.Join(path, "inner", "file")))
	require.NoError(t, Folder(filepath.Join(work, "inner")))
	require.Error(t, Publish(work, path), "another process was faster")
	require.Equal(t, "content", text(t, filepath.Join(path, "inner", "file")))
}

package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the maximum length of a line in bytes. It is far above any valid line; a longer line
// means that the file has another format.
const maxLine = 64 << 10

// Lines reads the lines of Files.
type Lines struct {
	files *Files
	now   *file // nil before a file is opened
	done  int64 // bytes of the previous files
	mark  Mark  // of the next line
	ended bool  // the last line ended with a line end
}

// Next returns the next line without its end, valid until the next call, or io.EOF after the last
// line. An error of type *FormatError with a non-empty Kind concerns this line only, and Next can
// be called again.
func (l *Lines) Next() ([]byte, error) {
	for {
		if l.now == nil {
			if err := l.open(); err != nil {
				return nil, err
			}
		}
		raw, err := l.now.lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, l.tooLong(len(raw))
		case errors.Is(err, io.EOF) && len(raw) == 0:
			if err := l.leave(); err != nil {
				return nil, err
			}
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, l.failed(err)
		}
		return l.line(raw), nil
	}
}

// Place returns the path of the file and the number (from 1) of the last line returned by Next.
func (l *Lines) Place() (path string, line int64) { return l.files.paths[l.mark.File], l.mark.Line }

// Mark returns the position of the next line.
func (l *Lines) Mark() Mark { return l.mark }

// Ended reports whether the last line ended with a line end. Only the last line of a file may lack
// it.
func (l *Lines) Ended() bool { return l.ended }

// Done returns the number of bytes of the files read so far, without decompression.
func (l *Lines) Done() int64 {
	if l.now == nil {
		return l.done
	}
	return l.done + l.now.done
}

// Close closes the open file.
func (l *Lines) Close() error {
	if l.now == nil {
		return nil
	}
	now := l.now
	l.now = nil
	return now.close()
}

// open opens the file of the mark and seeks to the mark.
func (l *Lines) open() error {
	if l.mark.File >= len(l.files.paths) {
		return io.EOF
	}
	raw, err := l.files.open(l.files.paths[l.mark.File])
	if err != nil {
		return err
	}
	l.now = &file{raw: raw}
	err = l.now.start()
	if err == nil && l.mark.Byte > 0 {
		err = l.now.skip(l.mark.Byte)
	}
	if err != nil {
		return errors.Join(l.failed(err), l.Close())
	}
	return nil
}

// leave moves from the end of a file to the beginning of the next file.
func (l *Lines) leave() error {
	if l.mark.Line == 0 {
		return l.files.wrong(l.files.paths[l.mark.File], 0, "the file is empty, expected "+l.files.expect)
	}
	l.done += l.now.done
	l.mark = Mark{File: l.mark.File + 1}
	return l.Close()
}

func (l *Lines) line(raw []byte) []byte {
	line, ended := bytes.CutSuffix(raw, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if l.mark.Byte == 0 {
		line = bytes.TrimPrefix(line, []byte{0xef, 0xbb, 0xbf})
	}
	l.ended = ended
	l.mark.Line++
	l.mark.Byte += int64(len(raw))
	return line
}

// tooLong reads to the end of a line after its first n bytes have been read.
func (l *Lines) tooLong(n int) error {
	l.mark.Byte += int64(n)
	for {
		raw, err := l.now.lines.ReadSlice('\n')
		l.mark.Byte += int64(len(raw))
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return l.failed(err)
		}
		break
	}
	l.mark.Line++
	path, line := l.Place()
	e := l.files.wrong(path, line, fmt.Sprintf("the line is longer than %d bytes, expected %s", maxLine, l.files.expect))
	e.Kind = "too long"
	return e
}

// failed returns the error for a failed read of the next line.
func (l *Lines) failed(err error) error {
	path, line := l.files.paths[l.mark.File], l.mark.Line+1
	if l.now.lines == nil {
		line = 0 // the header of a compressed file
	}
	if problem, cutOff := l.now.explain(err); problem != "" {
		return &FormatError{File: path, Line: line, Problem: problem, CutOff: cutOff, Err: err}
	}
	return fmt.Errorf("%s:%d: %w", path, line, err)
}

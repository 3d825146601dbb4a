package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Store is the folder of a sweep:
//
//	sweep.json            the plan
//	points/KEY/*.hcl      the files of a point
//	points/KEY/attempt-*  what an attempt printed (output), and its log
//	points/KEY/end.json   how the last attempt ended that did
//
// All processes of a sweep share it. A result is there when end.json is, as a whole.
type Store struct {
	Dir  string // absolute
	Plan *Plan
}

const (
	planFile   = "sweep.json"
	outputFile = "output"
	logFile    = "log"
	endFile    = "end.json"
	attempt    = "attempt-"
)

// Create writes a plan to a folder, in place of one that is there. Results that are there
// are kept, and count for the points that have their keys.
func Create(dir string, plan *Plan) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir, plan}
	for _, p := range plan.Points {
		if err := outfile.Folder(s.folder(p)); err != nil {
			return nil, err
		}
		if err := p.write(s.folder(p)); err != nil {
			return nil, err
		}
	}
	b, err := json.MarshalIndent(plan, "", " ")
	if err != nil {
		return nil, err
	}
	return s, outfile.WriteBytes(filepath.Join(dir, planFile), b)
}

// Open reads the plan of a folder. Its version must be that of the programs here.
func Open(dir, version string) (*Store, error) {
	name := filepath.Join(dir, planFile)
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var p Plan
	if err := json.Unmarshal(b, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Schema != Schema {
		return nil, fmt.Errorf("%s: schema is %q; expected %s", name, p.Schema, Schema)
	}
	if p.Version != version {
		return nil, fmt.Errorf("%s is of version %q, and this program of version %q; begin the sweep again", name, p.Version, version)
	}
	dir, err = filepath.Abs(dir)
	return &Store{dir, &p}, err
}

func (s *Store) folder(p Point) string { return filepath.Join(s.Dir, "points", p.Key) }

// Status of a point.
const (
	Done    = "done"
	Failed  = "failed"
	Missing = "missing"
)

// End is how a point ended.
type End struct {
	Status   string `json:"status"`
	ExitCode int    `json:"exit_code"`
	Message  string `json:"message"` // last line of the log of one that failed
	Attempt  string `json:"attempt"` // folder of output and log
}

// End tells how point n has ended; it is Missing if it has not, or if what told so is damaged,
// as by a loss of power.
func (s *Store) End(n int) (End, error) {
	missing := End{Status: Missing}
	b, err := os.ReadFile(filepath.Join(s.folder(s.Plan.Points[n]), endFile))
	if errors.Is(err, fs.ErrNotExist) {
		return missing, nil
	}
	if err != nil {
		return missing, err
	}
	var e End
	if json.Unmarshal(b, &e) != nil {
		return missing, nil
	}
	return e, nil
}

// Unfinished are the points that are missing or have failed, in order.
func (s *Store) Unfinished() (list []int, err error) {
	seen := map[string]bool{}
	for n, p := range s.Plan.Points {
		e, err := s.End(n)
		if err != nil {
			return nil, err
		}
		if e.Status != Done && !seen[p.Key] {
			seen[p.Key] = true
			list = append(list, n)
		}
	}
	return list, nil
}

// Log is the log of the attempt at point n that ended so.
func (s *Store) Log(n int, e End) string {
	return filepath.Join(s.folder(s.Plan.Points[n]), e.Attempt, logFile)
}

// output is what an attempt at point n has printed.
func (s *Store) output(n int, e End) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.folder(s.Plan.Points[n]), e.Attempt, outputFile))
}

// keep makes an attempt the result of its point. Another process may have done the same
// before, which is as good.
func (s *Store) keep(p Point, e End) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return outfile.WriteBytes(filepath.Join(s.folder(p), endFile), append(b, '\n'))
}

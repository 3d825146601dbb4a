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
//	points/KEY/attempt-*  the output of an attempt, and its log
//	points/KEY/end.json   how the latest completed attempt ended
//
// All processes of a sweep share it. A result exists if end.json exists; the file is written
// atomically.
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

// Create writes a plan to a folder and replaces an existing plan. Existing results are kept and
// used for the points that have their keys.
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

// Open reads the plan in a folder. Its version must equal the given version of the programs.
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
		return nil, fmt.Errorf("%s is of version %q, and this program of version %q; start the sweep in a new folder", name, p.Version, version)
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

// End describes how a point ended.
type End struct {
	Status   string `json:"status"`
	ExitCode int    `json:"exit_code"`
	Message  string `json:"message"` // last line of the log if the point failed
	Attempt  string `json:"attempt"` // folder of output and log
}

// End returns how point n has ended. The status is Missing if the point has not ended, or if
// end.json is damaged, for example by a power failure.
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

// Unfinished returns the points that are missing or have failed, in order. Of several points with
// the same key, it returns the first.
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

// Log returns the path of the log of an attempt at point n.
func (s *Store) Log(n int, e End) string {
	return filepath.Join(s.folder(s.Plan.Points[n]), e.Attempt, logFile)
}

// output returns the output of an attempt at point n.
func (s *Store) output(n int, e End) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.folder(s.Plan.Points[n]), e.Attempt, outputFile))
}

// keep makes an attempt the result of its point. If another process has stored an equivalent
// result, it is replaced.
func (s *Store) keep(p Point, e End) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return outfile.WriteBytes(filepath.Join(s.folder(p), endFile), append(b, '\n'))
}

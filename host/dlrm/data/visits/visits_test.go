package visits

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

const fixture = "testdata/userbehavior.csv" // invented visits: 46 of user 1, 12 of user 100, 9 of user 1000, 25 of user 1000001

var taobao = func() *schema.Schema {
	s, err := schema.Load("taobao")
	if err != nil {
		panic(err)
	}
	return s
}()

func load(t *testing.T, path string, seed uint64, o clicklog.Options) (*Log, []dlrm.Sample) {
	log, err := Open(t.Context(), taobao, []string{path}, seed, o)
	require.NoError(t, err)
	set, err := datatest.Read(log, 0)
	require.NoError(t, err)
	return log, set
}

// visitsOf reads the fixture independently of the package. It returns the items of each user in
// order of time, as rows, and the category of each item.
func visitsOf(t *testing.T) (items map[uint32][]uint32, category map[uint32]uint32) {
	content, err := os.ReadFile(fixture)
	require.NoError(t, err)
	rows := [3]map[string]uint32{{}, {}, {}}
	times := map[uint32][]string{}
	category = map[uint32]uint32{}
	for line := range strings.Lines(string(content)) {
		f := strings.Split(line, ",")
		var row [3]uint32
		for c := range rows {
			if _, known := rows[c][f[c]]; !known {
				rows[c][f[c]] = uint32(len(rows[c]))
			}
			row[c] = rows[c][f[c]]
		}
		times[row[0]] = append(times[row[0]], fmt.Sprintf("%s %d", strings.TrimSpace(f[4]), row[1]))
		category[row[1]] = row[2]
	}
	items = map[uint32][]uint32{}
	for user, list := range times {
		slices.Sort(list) // all times have ten digits and are distinct
		for _, visit := range list {
			_, item, _ := strings.Cut(visit, " ")
			n, err := strconv.Atoi(item)
			require.NoError(t, err)
			items[user] = append(items[user], uint32(n))
		}
	}
	return items, category
}

func TestFixture(t *testing.T) {
	items, category := visitsOf(t)
	for seed := range uint64(20) {
		log, set := load(t, fixture, seed, clicklog.Options{})
		shape := log.Shape()
		require.Equal(t, []int{1, 21, 63}, []int{shape.Dense, shape.Steps, shape.Lookups()})
		require.Equal(t, dlrm.Table{Name: "user", Rows: 4, Lookups: 1}, shape.Tables[0])
		require.Equal(t, dlrm.Table{Name: "item", Rows: len(category), Lookups: 1}, shape.Tables[1])
		require.Equal(t, dlrm.Table{Name: "category", Rows: 7, Lookups: 1}, shape.Tables[2])
		n, _ := log.Len()
		require.EqualValues(t, len(set), n)

		cfg := dlrm.Config{Steps: 21, Dense: 1, Tables: shape.Tables}
		count := map[[2]uint32]int{}
		for _, s := range set {
			require.NoError(t, cfg.Check(s))
			user := s.Sparse[0]
			count[[2]uint32{user, uint32(s.Label)}]++
			var seen []uint32
			for step := range 21 {
				require.Equal(t, float32(step)/21, s.Dense[step])
				require.Equal(t, user, s.Sparse[3*step])
				seen = append(seen, s.Sparse[3*step+1])
				padding := s.Sparse[3*step+1] == 0 && s.Sparse[3*step+2] == 0
				require.True(t, padding || category[s.Sparse[3*step+1]] == s.Sparse[3*step+2])
			}
			past := items[user][:len(items[user])-1] // without the very last visit
			if s.Label == 0 {
				require.NotContains(t, past, seen[20])
				seen = seen[:20]
			}
			// The history is a consecutive part of the visits, preceded by rows 0 if it is too
			// short.
			stretch := false
			for end := 1; end <= len(past); end++ {
				want := append(make([]uint32, max(0, len(seen)-end)), past[max(0, end-len(seen)):end]...)
				stretch = stretch || slices.Equal(want, seen)
			}
			require.True(t, stretch, "%v of %v", seen, past)
		}
		// 45, 11, 8 and 24 visits are used.
		require.Equal(t, map[[2]uint32]int{{0, 0}: 10, {0, 1}: 10, {1, 0}: 1, {1, 1}: 1, {3, 0}: 3, {3, 1}: 3}, count)
	}
}

// TestEnds: the last visit of a history, or the candidate, may be any visit that leaves enough
// visits for the history, and varies between inputs. With too few visits it is the last used visit.
func TestEnds(t *testing.T) {
	items, _ := visitsOf(t)
	ends := map[[2]uint32]map[int]bool{} // by user and label: the positions of the last visits of inputs
	for seed := range uint64(60) {
		_, set := load(t, fixture, seed, clicklog.Options{})
		ofOne := map[int]bool{}
		for _, s := range set {
			var seen []uint32
			for step := range 20 + int(s.Label) {
				seen = append(seen, s.Sparse[3*step+1])
			}
			user, past := s.Sparse[0], items[s.Sparse[0]][:len(items[s.Sparse[0]])-1]
			var found []int
			for end := 1; end <= len(past); end++ {
				if slices.Equal(append(make([]uint32, max(0, len(seen)-end)), past[max(0, end-len(seen)):end]...), seen) {
					found = append(found, end)
				}
			}
			require.Len(t, found, 1)
			key := [2]uint32{user, uint32(s.Label)}
			if ends[key] == nil {
				ends[key] = map[int]bool{}
			}
			ends[key][found[0]] = true
			if key == [2]uint32{0, 1} {
				ofOne[found[0]] = true
			}
		}
		require.Greater(t, len(ofOne), 3)
	}
	for key, want := range map[[2]uint32][2]int{{0, 0}: {20, 45}, {0, 1}: {21, 45}, {1, 0}: {11, 11}, {1, 1}: {11, 11}, {3, 0}: {20, 24}, {3, 1}: {21, 24}} {
		var all []int
		for end := range ends[key] {
			all = append(all, end)
		}
		require.Equal(t, want, [2]int{slices.Min(all), slices.Max(all)}, "user and label %v", key)
		require.Len(t, all, want[1]-want[0]+1)
	}
}

// TestOldVisits: only the last 200 visits are used, except the very last.
func TestOldVisits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	var b strings.Builder
	for v := range 300 {
		fmt.Fprintf(&b, "1,%d,3,pv,%d\n", v, v)
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	least, most := uint32(300), uint32(0)
	for seed := range uint64(60) {
		_, set := load(t, path, seed, clicklog.Options{})
		for _, s := range set {
			for step := range 20 + int(s.Label) {
				least, most = min(least, s.Sparse[3*step+1]), max(most, s.Sparse[3*step+1])
			}
		}
	}
	require.Equal(t, []uint32{100, 298}, []uint32{least, most})
}

// TestSeeds: inputs are equal for equal seeds and differ for different seeds.
func TestSeeds(t *testing.T) {
	_, a := load(t, fixture, 1, clicklog.Options{})
	_, b := load(t, fixture, 1, clicklog.Options{})
	_, c := load(t, fixture, 2, clicklog.Options{})
	require.Equal(t, a, b)
	require.NotEqual(t, a, c)
}

// big writes a log of many users with 16 visits each, and returns its path.
func big(t testing.TB, users int) string {
	path := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(path)
	require.NoError(t, err)
	for u := range users {
		for v := range 16 {
			fmt.Fprintf(f, "%d,%d,%d,pv,%d\n", u, u*3+v, v%5, v)
		}
	}
	require.NoError(t, f.Close())
	return path
}

// TestResume: a reader that starts at any input returns the same inputs, over several windows.
func TestResume(t *testing.T) {
	path := big(t, 2*windowUsers) // ends with a window
	log, set := load(t, path, 1, clicklog.Options{})
	require.Len(t, set, 4*windowUsers)
	users := map[uint32]bool{}
	for _, s := range set[:2*windowUsers] {
		users[s.Sparse[0]] = true
	}
	require.Len(t, users, windowUsers, "a window is shuffled by itself")
	neighbours := 0
	for i, s := range set[1:] {
		if s.Sparse[0] == set[i].Sparse[0] {
			neighbours++
		}
	}
	require.Less(t, neighbours, 20, "and well")
	for _, at := range []int{0, 1, 2*windowUsers - 1, 2 * windowUsers, 3 * windowUsers, 4*windowUsers - 1, 4 * windowUsers, 9 * windowUsers} {
		part, err := data.Range(log, int64(at), 1<<40)
		require.NoError(t, err)
		rest, err := datatest.Read(part, 10)
		require.NoError(t, err)
		want := set[min(at, len(set)):]
		require.Equal(t, want[:min(10, len(want))], append([]dlrm.Sample{}, rest...), "from %d on", at)
	}
}

func TestRules(t *testing.T) {
	_, first := load(t, fixture, 1, clicklog.Options{})
	log, set := load(t, fixture, 1, clicklog.Options{Rule: index.MaxIndRange(1_000_000)})
	require.Equal(t, 1_000_000, log.Shape().Tables[1].Rows)
	require.Len(t, set, len(first))
	for i, s := range set {
		require.Equal(t, first[i].Label, s.Label)
		require.Contains(t, []uint32{1, 100}, s.Sparse[0], "1000001 and 1 share a row")
	}
}

func TestFirstPassIsKept(t *testing.T) {
	passes := 0
	o := clicklog.Options{Index: filepath.Join(t.TempDir(), "index"), Progress: func(int64, int64) { passes++ }}
	log, a := load(t, fixture, 1, o)
	again, b := load(t, fixture, 1, o)
	require.Equal(t, log.Shape(), again.Shape())
	require.Equal(t, a, b)
	require.Equal(t, 1, passes)
}

func TestQuarantine(t *testing.T) {
	content, err := os.ReadFile(fixture)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x")
	lines := strings.SplitAfter(string(content), "\n")
	lines[20] += "1,2,3,look,4\n"
	lines[46] = "what\n" + lines[46] // between users
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
	q := text.NewQuarantine(2, nil)
	_, got := load(t, path, 1, clicklog.Options{Quarantine: q})
	_, want := load(t, fixture, 1, clicklog.Options{})
	require.Equal(t, want, got)
	n, _ := q.Lines()
	require.Equal(t, 2, n)
}

func TestFormatErrors(t *testing.T) {
	user := func(id, visits int) (s string) {
		for v := range visits {
			s += fmt.Sprintf("%d,%d,1,pv,%d\n", id, v, -v)
		}
		return s
	}
	for _, c := range []struct{ content, want string }{
		{"", ": the file is empty, expected lines of 5 comma-separated fields"},
		{user(7, 10), ": no user has made 11 visits, expected lines of 5 comma-separated fields"},
		{"user,item,category,behavior,timestamp\n", `:1: column user (field 1): "user" is not a decimal id below 2^32`},
		{"1,2,3,pv\n", ":1: 4 fields, expected 5 (user, item, category, behaviour, time, separated by commas)"},
		{"1,,3,pv,4\n", `:1: column item (field 2): "" is not a decimal id below 2^32`},
		{"1,2,-3,pv,4\n", `:1: column category (field 3): "-3" is not a decimal id below 2^32`},
		{"1,2,3,look,4\n", `:1: column behaviour (field 4): "look" is not pv, buy, cart or fav`},
		{"1,2,3,pv,now\n", `:1: column time (field 5): "now" is not an integer`},
		{"1,2,3,pv,4\x00\n", `:1: column time (field 5): "4\x00" is not an integer`},
		{user(7, 12) + "7,1", ":13: 2 fields, expected 5 (user, item, category, behaviour, time, separated by commas), and no newline: the file looks cut off"},
		{user(7, 12) + user(8, 2) + user(7, 1), ":15: user 7 had lines before those of other users, expected all lines of a user together: sort the log by user"},
	} {
		path := filepath.Join(t.TempDir(), "x")
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
		_, err := Open(t.Context(), taobao, []string{path}, 1, clicklog.Options{})
		require.EqualError(t, err, path+c.want)
	}
	_, err := Open(t.Context(), taobao, []string{os.DevNull}, 1, clicklog.Options{})
	require.EqualError(t, err, os.DevNull+" can be read only once, expected a regular file")
	_, err = Open(t.Context(), taobao, nil, 1, clicklog.Options{})
	require.Error(t, err)
	_, err = Open(t.Context(), taobao, []string{fixture}, 1, clicklog.Options{Rule: index.Hash(-1)})
	require.Error(t, err)
}

// TestAllItemsSeen: a negative candidate is found even if a user has seen all items.
func TestAllItemsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("1,2,3,pv,4\n", 12)), 0o600))
	_, set := load(t, path, 1, clicklog.Options{})
	require.Len(t, set, 2)
}

// TestChangedLog: a log that was truncated after Open ends early.
func TestChangedLog(t *testing.T) {
	content, err := os.ReadFile(fixture)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	log, _ := load(t, path, 1, clicklog.Options{})
	require.NoError(t, os.WriteFile(path, content[:100], 0o600))
	r, err := log.Open(0)
	require.NoError(t, err)
	var b dlrm.Batch
	require.ErrorContains(t, r.Read(&b, 100), path)
	require.NoError(t, r.Close())
}

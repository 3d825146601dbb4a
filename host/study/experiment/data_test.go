package experiment

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
)

// known contains digests of logs, as the readers for one format each computed them that schemas
// have replaced: with the rules first-pass, hash:1000 and max-ind-range:777.
var known = map[string][3]string{
	"criteo:../../dlrm/data/clicklog/testdata/criteo.tsv":     {"5 28ab731cae88d979e68a9a61", "5 95854fd2f226031d085bd44c", "5 531ffd320afc0761b4f7f35b"},
	"criteo:../../../cmd/hotline/command/testdata/clicks.tsv": {"70 bf117933f11abe3b1bdb8389", "70 360496a0b2c9c32f455c1234", "70 c8e915589dc5f2ea46c55b69"},
	"avazu:../../dlrm/data/clicklog/testdata/avazu.csv":       {"5 12232032b58b7b8620aad776", "5 64395f6d7f9f87e47b0554de", "5 1d3ee20a65c40af697a74f17"},
	"taobao:../../dlrm/data/visits/testdata/userbehavior.csv": {"28 26fb20476e2d6092749081d8", "28 8dc88aed29e5ac43285ddbe3", "28 d90d82fef953f999c0ed9b1c"},
}

// real contains the digests of the real log, whose licence does not permit including it.
var real = [3]string{"7200 06be4dbefa5a6407d0bb9d41", "7200 13df103b8ee36ea030c038cc", "7200 ca1ea14dd28d97076754be1f"}

// TestSameBits: schemas read the public logs to the same bits as the readers that they replaced.
func TestSameBits(t *testing.T) {
	logs := maps.Clone(known)
	if shared := os.Getenv("HOTLINE_SHARED"); shared != "" {
		logs["criteo:"+filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv")] = real
	}
	for spec, want := range logs {
		for i, rule := range []index.Rule{index.FirstPass, index.Hash(1000), index.MaxIndRange(777)} {
			require.Equal(t, want[i], digest(t, spec, rule), "%s, %s", spec, rule)
		}
	}
	const fixture = "../../dlrm/data/clicklog/testdata/avazu.csv"
	text, err := os.ReadFile(fixture)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "avazu.csv")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), ",14102105,", ",14102106,", 1)), 0o600))
	require.NotEqual(t, digest(t, "avazu:"+fixture, index.FirstPass), digest(t, "avazu:"+path, index.FirstPass), "a later hour")
}

// digest returns the number of inputs of a log, and a digest of its shape and its inputs.
func digest(t *testing.T, spec string, rule index.Rule) string {
	s, _, err := OpenData(t.Context(), spec, 3, clicklog.Options{Rule: rule})
	require.NoError(t, err)
	h := sha256.New()
	fmt.Fprintf(h, "%+v\n", s.Shape())
	return fmt.Sprintf("%d %x", sum(t, h, s), h.Sum(nil)[:12])
}

// sum adds all inputs to a hash and returns their number.
func sum(t *testing.T, h hash.Hash, s data.Source) int {
	inputs, err := datatest.Read(s, 0)
	require.NoError(t, err)
	for _, in := range inputs {
		for _, part := range []any{in.Label, in.Dense, in.Sparse} {
			require.NoError(t, binary.Write(h, binary.LittleEndian, part))
		}
	}
	return len(inputs)
}

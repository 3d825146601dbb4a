//go:build release

package compiled

import (
	_ "embed"

	"github.com/hotline-rtl/hotline/gen/sourcezip"
)

// sourceZip is the source of this module. scripts/release writes it before it builds.
//
//go:embed source.zip
var sourceZip []byte

func init() {
	embedded = func() (string, error) { return sourcezip.Folder("", sourceZip) }
}

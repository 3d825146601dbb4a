package docs_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline/attributes"
)

// TestConfigurationPage: configuration.md has the attributes of the decoders.
func TestConfigurationPage(t *testing.T) {
	const file = "reference/configuration.md"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(attributes.Page()), 0o666))
	}
	require.Equal(t, attributes.Page(), read(t, file), "%s is stale: run go test ./docs -run ConfigurationPage -update", file)
}

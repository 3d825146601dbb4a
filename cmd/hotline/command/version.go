package command

import (
	"os"
	"runtime/debug"
	"strings"
)

// modulePath is the path of this module.
const modulePath = "github.com/hotline-rtl/hotline"

// versionVariable passes the version to a program started by reexec. The main module of that
// program differs and has no version.
const versionVariable = "HOTLINE_VERSION"

// version returns the version that this program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if given := os.Getenv(versionVariable); given != "" && info.Main.Path != modulePath {
		return given
	}
	return describe(info)
}

// describe returns the version of the module, with its revision if known, and the version of Go.
func describe(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	parts := []string{info.Main.Version}
	if info.Main.Version == "" {
		parts[0] = "(devel)"
	}
	if revision := settings["vcs.revision"]; revision != "" {
		parts = append(parts, "revision "+revision)
	}
	if settings["vcs.modified"] == "true" {
		parts = append(parts, "modified")
	}
	return strings.Join(append(parts, info.GoVersion), ", ")
}

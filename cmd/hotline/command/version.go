package command

import (
	"os"
	"runtime/debug"
	"strings"
)

// modulePath is that of this project.
const modulePath = "github.com/hotline-rtl/hotline"

// versionVariable tells the version to a program that again starts: its main
// module is another one, which has none.
const versionVariable = "HOTLINE_VERSION"

// version is what this program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if told := os.Getenv(versionVariable); told != "" && info.Main.Path != modulePath {
		return told
	}
	return describe(info)
}

// describe is the version of the module, with its revision if that is known, and
// of Go.
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

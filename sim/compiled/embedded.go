package compiled

// embedded returns the folder of the source that this program contains. It is nil unless the
// program is a release (embedded_release.go).
var embedded func() (string, error)

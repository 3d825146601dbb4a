// Package sizes defines the parameters that blocks of the dispatcher share, and the widths derived
// from them. Each block embeds only the parameters that it uses, so that its module name depends on
// these only.
package sizes

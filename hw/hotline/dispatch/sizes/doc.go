// Package sizes has the parameters that parts of the dispatcher share, with
// the widths that follow from them. A part embeds those that it uses, so that
// its module is named by these alone.
package sizes

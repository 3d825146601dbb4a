// Package limits states the range of each attribute of a configuration once. Checks, their messages
// and the reference pages use the same [Range].
//
//	func (Options) Limits() map[string]limits.Range {
//		return map[string]limits.Range{"share": limits.Between(0, 1.0)}
//	}
//
// Attributes are fields with the tag hcl. The text of a range completes the sentence "expected ...".
package limits

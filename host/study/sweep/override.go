package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// override sets an attribute of an HCL file. The path is attribute, block.attribute or
// block.label.attribute; a further .key selects an entry of an attribute that is an object.
// Comments and lines are preserved. A missing block without a label is added; the decoder checks
// whether the block and the attribute are allowed.
func override(name string, text []byte, path string, value cty.Value) ([]byte, error) {
	if _, err := hclfile.Parse(name, text); err != nil {
		return nil, err
	}
	f, diags := hclwrite.ParseConfig(text, name, hcl.InitialPos)
	if err := hclfile.Error(diags); err != nil {
		return nil, err
	}
	if err := set(f.Body(), strings.Split(path, "."), value); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f.Bytes(), nil
}

func set(body *hclwrite.Body, path []string, value cty.Value) error {
	if slices.Contains(path, "") {
		return errors.New("a name is empty; expected block.attribute")
	}
	if len(path) == 1 {
		body.SetAttributeValue(path[0], value)
		return nil
	}
	if a := body.GetAttribute(path[0]); a != nil && len(path) == 2 {
		return setEntry(body, a, path[0], path[1], value)
	}
	known := []string{}
	for _, b := range body.Blocks() {
		if b.Type() != path[0] {
			continue
		}
		labels := b.Labels()
		if n := len(labels); len(path) > n+1 && slices.Equal(labels, path[1:n+1]) {
			return set(b.Body(), path[n+1:], value)
		}
		known = append(known, strings.Join(labels, "."))
	}
	switch {
	case len(known) > 0:
		return fmt.Errorf("there is no block %s %q; expected one of %s", path[0], path[1], strings.Join(known, ", "))
	case len(path) > 2:
		return fmt.Errorf("there is no block %s %q", path[0], path[1])
	}
	return set(body.AppendNewBlock(path[0], nil).Body(), path[1:], value)
}

// setEntry sets an entry of an attribute that is an object.
func setEntry(body *hclwrite.Body, a *hclwrite.Attribute, name, key string, value cty.Value) error {
	f, err := hclfile.Parse(name, a.BuildTokens(nil).Bytes())
	if err != nil {
		return err
	}
	var old cty.Value
	if err := f.Value(f.Body.Attributes[name].Expr, nil, &old); err != nil {
		return err
	}
	if !old.Type().IsObjectType() {
		return fmt.Errorf("%s is not an object, so it has no entry %q", name, key)
	}
	entries := map[string]cty.Value{}
	for k, v := range old.AsValueMap() {
		entries[k] = v
	}
	entries[key] = value
	body.SetAttributeValue(name, cty.ObjectVal(entries))
	return nil
}

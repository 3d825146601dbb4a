package hw

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// nameModules gives all modules their names. The names of used modules depend on used modules only,
// so that probes never change them. If used is nil, all modules are used.
//
// A name is the base name of the generator. If the design has several modules of this base name, the
// names also contain the parameters that distinguish them, for example fifo_depth16. If they come from
// several packages, the names begin with the package.
func (el *elaboration) nameModules(used map[*ir.Module]bool) {
	design, all := map[string][]*built{}, map[string][]*built{}
	for _, b := range el.all {
		if all[b.base] = append(all[b.base], b); used == nil || used[b.module] {
			design[b.base] = append(design[b.base], b)
		}
	}
	for base, list := range all {
		nameGroup(base, list, "_probe")
		nameGroup(base, design[base], "")
		joinFamilies(list, design[base])
	}
	el.checkNames()
}

// joinFamilies gives probes the name of the family that they describe.
func joinFamilies(all, design []*built) {
	names := map[variant]string{}
	for _, b := range design {
		if b.generic != nil {
			names[b.family] = b.module.Generic.Name
		}
	}
	for _, b := range all {
		if b.generic != nil && names[b.family] != "" {
			b.module.Generic.Name = names[b.family]
		}
	}
}

// nameGroup names modules of one base name.
func nameGroup(base string, list []*built, end string) {
	packages, suffix := qualifiers(list), suffixes(list, false)
	families := suffixes(list, true)
	for _, b := range list {
		name := packages[b.pkg] + base
		b.module.Name = name + suffix[b] + end
		if b.module.Generic != nil {
			b.module.Generic.Name = name + families[b] + end
		}
	}
}

// suffixes returns the parameters that distinguish modules, as parts of names. A parameter counts if
// it differs among the modules that agree in all parameters before it. In names of families, Verilog
// parameters do not count.
func suffixes(list []*built, family bool) map[*built]string {
	out, class := map[*built]string{}, map[*built]string{}
	for _, b := range list {
		class[b] = b.pkg
	}
	for _, key := range keys(list) {
		values := map[string]map[string]bool{}
		for _, b := range list {
			if values[class[b]] == nil {
				values[class[b]] = map[string]bool{}
			}
			values[class[b]][b.text(key, family)] = true
		}
		for _, b := range list {
			text := b.text(key, family)
			if len(values[class[b]]) > 1 && text != "" {
				out[b] += "_" + text
			}
			class[b] += "," + text
		}
	}
	return out
}

// keys returns the keys of all labels.
func keys(list []*built) (keys []string) {
	seen := map[string]bool{}
	for _, b := range list {
		for _, l := range b.labels {
			if !seen[l.key] {
				seen[l.key], keys = true, append(keys, l.key)
			}
		}
	}
	return keys
}

// text returns the text of the label with a key. It is empty if b lacks the parameter.
func (b *built) text(key string, family bool) string {
	i := slices.IndexFunc(b.labels, func(l label) bool { return l.key == key })
	if i < 0 || b.labels[i].text == "" || family && b.generic != nil && b.labels[i].field == b.generic.name {
		return ""
	}
	return b.labels[i].name + b.labels[i].text
}

// qualifiers returns a prefix for each package of the modules: nothing for a single package, else
// as many trailing elements of its path as distinguish it.
func qualifiers(list []*built) map[string]string {
	out := map[string]string{}
	for _, b := range list {
		out[b.pkg] = ""
	}
	for n := 1; len(out) > 1; n++ {
		prefixes := map[string]bool{}
		for pkg := range out {
			path := strings.Split(pkg, "/")
			out[pkg] = legal(strings.Join(path[max(0, len(path)-n):], "_")) + "_"
			prefixes[out[pkg]] = true
		}
		if len(prefixes) == len(out) || n > maxDepth {
			break
		}
	}
	return out
}

// checkNames reports names that are not legal, and names of two modules. A Verilog module with a
// parameter may have the name of a module that it replaces.
func (el *elaboration) checkNames() {
	owners, foreign := map[string]*built{}, map[string]bool{}
	for _, b := range el.all {
		if x := b.module.Extern; x != nil {
			foreign[x.Module] = true
		}
	}
	claim := func(b *built, name string, family bool) {
		other, taken := owners[name]
		owners[name] = b
		switch {
		case name != b.base && (!identifier.MatchString(name) || ir.Keyword(name)):
			el.mistake(b.module, b.pos, "name", "module %q: %s; give the generator a ModuleName", name, nameRule)
		case foreign[name] && b.module.Extern == nil:
			el.mistake(b.module, b.pos, "name", "foreign Verilog has this name, too; give the generator a ModuleName")
		case taken && !(family && other.module.Generic != nil && other.family == b.family):
			el.mistake(b.module, b.pos, "name", "two modules have this name: %s and %s; give one a ModuleName", title(other.g), title(b.g))
		}
	}
	for _, b := range el.all {
		g := b.module.Generic
		if g != nil {
			claim(b, g.Name, true)
		}
		if g == nil || g.Name != b.module.Name {
			claim(b, b.module.Name, false)
		}
	}
}

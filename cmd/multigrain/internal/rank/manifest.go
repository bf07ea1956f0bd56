package rank

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// The kinds of names in a grid.
const (
	variable = "variable"
	bound    = "bound"
	option   = "option"
)

// resolved finds what the names of a grid are: variables of the manifest first, since its author
// declared them to be varied, then bounds and options of the system. The error is a sentence
// without its period.
func resolved(r *session.Run, grid []axis) (out []result.Axis, err error) {
	var variables, bounds, options []string
	for _, v := range r.Manifest.Variables {
		variables = append(variables, v.Name)
	}
	for _, b := range r.Composition.Catalog.Bounds {
		bounds = append(bounds, b.Name)
	}
	for _, o := range r.Composition.Catalog.Options {
		options = append(options, o.Name)
	}
	for _, a := range grid {
		kind := ""
		switch {
		case slices.Contains(variables, a.name):
			kind = variable
		case slices.Contains(bounds, a.name):
			kind = bound
		case slices.Contains(options, a.name):
			kind = option
		default:
			return nil, fmt.Errorf("%q is neither a variable of the manifest (%s) nor a bound (%s) nor an option (%s) of system %q.%s",
				a.name, listed(variables), listed(bounds), listed(options), r.Composition.Catalog.System,
				strings.TrimSuffix(configs.Hint(a.name, slices.Concat(variables, bounds, options)), "."))
		}
		out = append(out, result.Axis{Name: a.name, Kind: kind, Values: a.values})
	}
	return out, nil
}

// listed joins names.
func listed(names []string) string {
	if len(names) == 0 {
		return "it has none"
	}
	return strings.Join(slices.Sorted(slices.Values(names)), ", ")
}

// manifestText returns the manifest of a configuration: a few lines that extend the ranked
// manifest, whose path seen from the folder of the new one is base. Variables that have a value
// from outside keep that value.
func manifestText(r *session.Run, base, header string, grid []result.Axis, values []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nextends = %s\n", header, literal(base))
	inGrid := func(name string) bool {
		return slices.ContainsFunc(grid, func(a result.Axis) bool { return a.Kind == variable && a.Name == name })
	}
	set := func(name, value string) {
		fmt.Fprintf(&b, "\nvariable %s {\n  default = %s\n}\n", literal(name), value)
	}
	for _, v := range r.Manifest.Variables {
		if v.Given && !inGrid(v.Name) {
			set(v.Name, string(hclwrite.TokensForValue(v.Value).Bytes()))
		}
	}
	for _, kind := range []string{variable, bound, option} {
		lines := overridden(r.Manifest, kind, grid)
		for k, a := range grid {
			switch {
			case a.Kind != kind:
			case kind == variable:
				set(a.Name, variableValue(r.Manifest, a.Name, values[k]))
			case kind == bound:
				lines = append(lines, fmt.Sprintf("  %s = %s\n", a.Name, plainOr(values[k])))
			default:
				lines = append(lines, fmt.Sprintf("  %s = %s\n", a.Name, optionValue(r.Composition.Catalog.Options, a.Name, values[k])))
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n%ss {\n%s}\n", kind, strings.Join(lines, ""))
		}
	}
	return string(hclwrite.Format([]byte(b.String())))
}

// variableValue writes a value as the type of a variable requires.
func variableValue(m *configs.Manifest, name, value string) string {
	for _, v := range m.Variables {
		if v.Name != name {
			continue
		}
		switch {
		case v.Type == cty.String:
			return literal(value)
		case v.Type == cty.Number, v.Type == cty.Bool, v.Type == cty.DynamicPseudoType:
			return plainOr(value)
		}
	}
	return plainOr(value)
}

// optionValue writes a value as an option requires: a truth value, or a text.
func optionValue(all []grains.Option, name, value string) string {
	for _, o := range all {
		if o.Name == name && len(o.Values) == 0 {
			return plainOr(value)
		}
	}
	return literal(value)
}

// plainOr writes a number or a truth value as it is, and any other value as a text.
func plainOr(value string) string {
	if _, err := strconv.ParseFloat(value, 64); err == nil || value == "true" || value == "false" {
		return value
	}
	return literal(value)
}

// literal writes a text as HCL has it.
func literal(text string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(text)).Bytes())
}

// seenFrom returns the path of a manifest as a manifest in folder names it.
func seenFrom(folder, manifest string) string {
	from, err := filepath.Abs(folder)
	to, also := filepath.Abs(manifest)
	if err == nil && also == nil {
		if rel, err := filepath.Rel(from, to); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(to)
}

// overridden returns the lines of what -set gives to bounds or to options that are not in a grid.
func overridden(m *configs.Manifest, kind string, grid []result.Axis) (lines []string) {
	from := map[string]configs.Settings{bound: m.Bounds, option: m.Options}[kind]
	for _, o := range m.Overrides {
		s, ok := from.Get(o.Name)
		if ok && !slices.ContainsFunc(grid, func(a result.Axis) bool { return a.Kind == kind && a.Name == o.Name }) {
			lines = append(lines, fmt.Sprintf("  %s = %s\n", o.Name, hclwrite.TokensForValue(s.Value).Bytes()))
		}
	}
	return lines
}

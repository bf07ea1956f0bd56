package configs

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// schema says what may stand in the body of a block.
type schema struct {
	// labels names what each label of the block stands for.
	labels []string
	// patterns says that labels are any text, and no identifiers.
	patterns bool
	// attrs are the attributes, free allows any other one as well.
	attrs []string
	free  bool
	// blocks are the nested blocks by type.
	blocks map[string]*schema
	// repeats says what several blocks of this type and labels in one body mean.
	repeats repetition
}

// repetition says how several blocks of one type and equal labels are combined.
type repetition int

const (
	once   repetition = iota // a mistake
	gather                   // their attributes form one block
	many                     // each stands for itself
	// Each stands for itself; those of an extending manifest replace those of the same labels.
	named
)

// manifestSchema is the schema of a whole manifest.
var manifestSchema = &schema{
	attrs: []string{"extends"},
	blocks: map[string]*schema{
		"system":         systemSchema,
		"variable":       variableSchema,
		"locals":         {free: true, repeats: gather},
		"module":         moduleSchema,
		"bounds":         {free: true},
		"options":        {free: true},
		"check":          checkSchema,
		"interaction":    interactionSchema,
		"refines":        refinesSchema,
		"implementation": implementationSchema,
		"simulate":       simulateSchema,
		"trace":          traceSchema,
		"expect":         expectSchema,
	},
}

// block is the part of a body that agrees with its schema. After merging, its
// attributes and nested blocks may come from several files.
type block struct {
	kind        string
	labels      []string
	labelRanges []hcl.Range
	// header is the type and labels of the nearest declaration, whole reaches
	// to its closing brace.
	header, whole hcl.Range
	attrs         map[string]*hclsyntax.Attribute
	// names are the keys of attrs in the order in which they were first
	// written, those of an extended manifest first.
	names  []string
	blocks []*block
	schema *schema
}

// String returns the block as a message names it, such as module "faults".
func (b *block) String() string {
	if b.kind == "" {
		return "a manifest"
	}
	return strings.TrimSpace(b.kind + quoteAll(b.labels))
}

func quoteAll(labels []string) string {
	var s strings.Builder
	for _, l := range labels {
		s.WriteString(` "` + l + `"`)
	}
	return s.String()
}

// key is the same for two declarations of one thing, and only for those.
func (b *block) key() string { return b.kind + quoteAll(b.labels) }

// byKey returns the first of the blocks with each key.
func byKey(blocks []*block) map[string]*block {
	found := make(map[string]*block)
	for _, b := range blocks {
		if k := b.key(); found[k] == nil {
			found[k] = b
		}
	}
	return found
}

// of returns the nested blocks of one type.
func (b *block) of(kind string) []*block {
	var found []*block
	for _, n := range b.blocks {
		if n.kind == kind {
			found = append(found, n)
		}
	}
	return found
}

// first returns the first nested block of one type, or nil.
func (b *block) first(kind string) *block {
	if found := b.of(kind); len(found) > 0 {
		return found[0]
	}
	return nil
}

// readBody takes from body what b's schema allows and reports the rest.
func (b *block) readBody(body *hclsyntax.Body) hcl.Diagnostics {
	var diags hcl.Diagnostics
	b.attrs = make(map[string]*hclsyntax.Attribute)
	attrs := slices.Collect(maps.Values(body.Attributes))
	sort.Slice(attrs, func(i, j int) bool {
		return attrs[i].SrcRange.Start.Byte < attrs[j].SrcRange.Start.Byte
	})
	for _, attr := range attrs {
		if !b.schema.free && !slices.Contains(b.schema.attrs, attr.Name) {
			diags = diags.Append(b.unknownAttribute(attr))
			continue
		}
		b.attrs[attr.Name] = attr
		b.names = append(b.names, attr.Name)
	}
	declared := make(map[string]*block)
	for _, inner := range body.Blocks {
		s, known := b.schema.blocks[inner.Type]
		if !known {
			diags = diags.Append(b.unknownBlock(inner))
			continue
		}
		n := &block{
			kind: inner.Type, labels: inner.Labels, labelRanges: inner.LabelRanges,
			header: inner.DefRange(), whole: inner.Range(), schema: s,
		}
		labelDiags := n.checkLabels()
		diags = diags.Extend(n.readBody(inner.Body))
		diags = diags.Extend(labelDiags)
		if !labelDiags.HasErrors() {
			diags = diags.Extend(b.add(n, declared))
		}
	}
	return diags
}

// add takes in one more block of the same file. declared holds the earlier ones by their keys.
func (b *block) add(n *block, declared map[string]*block) hcl.Diagnostics {
	var diags hcl.Diagnostics
	earlier := declared[n.key()]
	if earlier == nil || n.schema.repeats >= many {
		b.blocks = append(b.blocks, n)
		declared[n.key()] = n
		return nil
	}
	if n.schema.repeats == once {
		d := Errorf(CodeDuplicate, "Duplicate block", n.header,
			"%s is declared a second time. Write all of it in one block.", sentence(n.String()))
		return diags.Append(WithRelated(d, earlier.header, "first declared here"))
	}
	for _, name := range n.names {
		if first := earlier.attrs[name]; first != nil {
			d := Errorf(CodeDuplicate, "Duplicate name", n.attrs[name].NameRange,
				"%q is defined in an earlier %s block already. Remove one of the two.", name, n.kind)
			diags = diags.Append(WithRelated(d, first.NameRange, "first defined here"))
			continue
		}
		earlier.attrs[name] = n.attrs[name]
		earlier.names = append(earlier.names, name)
	}
	return diags
}

// checkLabels reports labels that are missing, superfluous or malformed.
func (b *block) checkLabels() hcl.Diagnostics {
	var diags hcl.Diagnostics
	want := b.schema.labels
	switch {
	case len(b.labels) > len(want) && len(want) == 0:
		diags = diags.Append(WithContext(Errorf(CodeLabel, "Superfluous label", b.labelRanges[0],
			"A block of type %s takes no label. Remove it.", b.kind), b.header))
	case len(b.labels) > len(want):
		diags = diags.Append(WithContext(Errorf(CodeLabel, "Superfluous label", b.labelRanges[len(want)],
			"A block of type %s takes only %s. Remove what follows it.", b.kind, strings.Join(want, " and ")), b.header))
	case len(b.labels) < len(want):
		diags = diags.Append(Errorf(CodeLabel, "Missing label", b.header,
			"A block of type %s needs %s: write %s \"...\" { }.", b.kind, strings.Join(want, " and "), b.kind))
	}
	for i, label := range b.labels {
		if i < len(want) && !b.schema.patterns && !hclsyntax.ValidIdentifier(label) {
			diags = diags.Append(WithContext(Errorf(CodeLabel, "Malformed label", b.labelRanges[i],
				"%q cannot be %s: it must start with a letter and consist of letters, digits, dashes and underscores.",
				label, want[i]), b.header))
		}
	}
	return diags
}

func (b *block) unknownAttribute(attr *hclsyntax.Attribute) *hcl.Diagnostic {
	hint := Hint(attr.Name, b.schema.attrs)
	if _, isBlock := b.schema.blocks[attr.Name]; isBlock {
		hint = " It is a block: write it without the equals sign."
	} else if name := Suggest(attr.Name, slices.Sorted(maps.Keys(b.schema.blocks))); name != "" && b.kind == "" {
		hint = " Did you mean the block " + name + "? Values stand inside blocks."
	}
	return WithContext(Errorf(CodeUnknownAttribute, "Unknown attribute", attr.NameRange,
		"%s has no attribute %q.%s", sentence(b.String()), attr.Name, hint), attr.SrcRange)
}

func (b *block) unknownBlock(inner *hclsyntax.Block) *hcl.Diagnostic {
	known := slices.Sorted(maps.Keys(b.schema.blocks))
	hint := Hint(inner.Type, known)
	if slices.Contains(b.schema.attrs, inner.Type) {
		hint = " It is an attribute: write " + inner.Type + " = ..."
	} else if _, top := manifestSchema.blocks[inner.Type]; top && b.kind != "" {
		hint = " It stands at the top of a manifest. Is a closing brace missing above?"
	}
	return WithContext(Errorf(CodeUnknownBlock, "Unknown block", inner.TypeRange,
		"%s has no block of type %q.%s", sentence(b.String()), inner.Type, hint), inner.DefRange())
}

// sentence returns text with a capital at its start.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// parsed is a file that was parsed, or that must not be.
type parsed struct {
	file  *hcl.File // with its text; without a body unless it was parsed
	diags hcl.Diagnostics
}

// stranger returns the first place at the top of a file where it is not what s describes, and
// whether there is one.
func (p parsed) stranger(s *schema) (hcl.Range, bool) {
	for _, d := range p.diags {
		if d.Severity == hcl.DiagError {
			if d.Subject == nil {
				return hcl.Range{}, true
			}
			return *d.Subject, true
		}
	}
	var found []hcl.Range
	if body, ok := p.file.Body.(*hclsyntax.Body); ok {
		for _, a := range body.Attributes {
			if !s.free && !slices.Contains(s.attrs, a.Name) {
				found = append(found, a.NameRange)
			}
		}
		for _, b := range body.Blocks {
			if s.blocks[b.Type] == nil {
				found = append(found, b.TypeRange)
			}
		}
	}
	if len(found) == 0 {
		return hcl.Range{}, false
	}
	return slices.MinFunc(found, func(a, b hcl.Range) int { return a.Start.Byte - b.Start.Byte }), true
}

package locks

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// An entry rests on declarations of the specification, each with a digest. They tell which one has
// changed if the entry is stale. Entries of a folder share most of them, so the file has each once,
// in a block that names the manifests whose entries rest on it:
//
//	code {
//	  of = ["mspec-1", "mspec-2"]
//	  declarations = [
//	    "constant ACK ef685d",
//	    "function isNext 3a1b22",
//	  ]
//	}

// code is such a block.
type code struct {
	Of           []string `hcl:"of"`
	Declarations []string `hcl:"declarations"`
}

// codeDigits is the number of hexadecimal digits of a digest in Entry.Code.
const codeDigits = 6

// CodeOf returns digests of declarations as an entry has them.
func CodeOf(parts map[string]string) map[string]string {
	out := map[string]string{}
	for name, digest := range parts {
		out[name] = digest[:min(len(digest), codeDigits)]
	}
	return out
}

// spread gives the entries the digests of the blocks.
func (f *File) spread() {
	for k := range f.Entries {
		e := &f.Entries[k]
		e.Code = map[string]string{}
		for _, c := range f.Code {
			if !slices.Contains(c.Of, e.Manifest) {
				continue
			}
			for _, d := range c.Declarations {
				if at := strings.LastIndexByte(d, ' '); at > 0 {
					e.Code[d[:at]] = d[at+1:]
				}
			}
		}
	}
}

// blocks returns the digests of all entries as blocks, those of the most entries first.
func (f *File) blocks() (out []code) {
	of := map[string][]string{} // the manifests by declaration with digest
	for _, e := range f.Entries {
		for name, digest := range e.Code {
			of[name+" "+digest] = append(of[name+" "+digest], e.Manifest)
		}
	}
	byManifests := map[string]*code{}
	for _, d := range slices.Sorted(maps.Keys(of)) {
		key := strings.Join(of[d], "\n")
		if byManifests[key] == nil {
			byManifests[key] = &code{Of: of[d]}
		}
		byManifests[key].Declarations = append(byManifests[key].Declarations, d)
	}
	for _, key := range slices.Sorted(maps.Keys(byManifests)) {
		out = append(out, *byManifests[key])
	}
	slices.SortStableFunc(out, func(a, b code) int { return cmp.Compare(len(b.Of), len(a.Of)) })
	return out
}

// write adds the block to a file, with a line for each declaration.
func (c code) write(body *hclwrite.Body) {
	body.AppendNewline()
	b := body.AppendNewBlock("code", nil).Body()
	b.SetAttributeRaw("of", listOf(c.Of, ""))
	b.SetAttributeRaw("declarations", listOf(c.Declarations, "\n"))
}

// listOf returns a list of texts as tokens, each element after a separator.
func listOf(texts []string, separator string) hclwrite.Tokens {
	var out strings.Builder
	out.WriteString("[")
	for k, s := range texts {
		if k > 0 && separator == "" {
			out.WriteString(", ")
		}
		out.WriteString(separator + strconv.Quote(s))
		if separator != "" {
			out.WriteString(",")
		}
	}
	out.WriteString(separator + "]")
	return hclwrite.Tokens{{Type: hclsyntax.TokenQuotedLit, Bytes: []byte(out.String())}}
}

// kinds are the kinds of declarations, those that say most about a change first.
var kinds = []string{"constant", "type", "variable", "function", "action", "invariant", "liveness property", "constraint", "stand-in", "rule", "package",
	"grain", "finer grain"}

// most is the number of declarations that Why names.
const most = 3

// Why says what has changed since an entry with the digests old was written, as "function quorum".
// A declaration that is gone is called removed.
func Why(old, now map[string]string) string {
	if len(old) == 0 {
		return "the specification, the choice or the bounds have changed"
	}
	chosen := old["choice"] != now["choice"]
	var changed []string
	for name := range now {
		if was, ok := old[name]; ok && was != now[name] && kindOf(name) < len(kinds) {
			changed = append(changed, name)
		}
	}
	if !chosen { // else another choice brings and removes most of them
		for name := range now {
			if _, ok := old[name]; !ok {
				changed = append(changed, "new "+name)
			}
		}
		for name := range old {
			if _, ok := now[name]; !ok {
				changed = append(changed, "removed "+name)
			}
		}
	}
	slices.SortFunc(changed, func(a, b string) int { return cmp.Or(cmp.Compare(kindOf(a), kindOf(b)), cmp.Compare(a, b)) })
	changed = withoutFollowing(changed)
	switch {
	case chosen && len(changed) == 0:
		return "the choice or the bounds have changed"
	case len(changed) == 0 && old["version"] != now["version"]:
		return "this version of multigrain compares in another way"
	case len(changed) == 0:
		return "the order of declarations has changed"
	}
	what := "this has changed: "
	if chosen {
		what = "the choice or the bounds have changed, and so has this: "
	}
	if n := len(changed); n > most {
		what = strings.TrimSuffix(what, ": ") + " and " + strconv.Itoa(n-most) + " more: "
		changed = changed[:most]
	}
	return what + strings.Join(changed, ", ")
}

// kindOf returns the place of a declaration's kind in kinds.
func kindOf(name string) int {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "new "), "removed ")
	k := slices.IndexFunc(kinds, func(kind string) bool { return strings.HasPrefix(name, kind+" ") })
	if k < 0 {
		return len(kinds)
	}
	return k
}

// withoutFollowing leaves out the grains where something else has changed: a grain lists what it
// has, so it changes with that.
func withoutFollowing(sorted []string) []string {
	first := slices.IndexFunc(sorted, func(s string) bool { return strings.Contains(s, "grain ") && kindOf(s) >= slices.Index(kinds, "grain") })
	if first > 0 {
		return sorted[:first]
	}
	return sorted
}

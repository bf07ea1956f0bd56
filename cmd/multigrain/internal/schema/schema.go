package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/conform/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Verbs returns the verbs whose documents have a schema of their own, in the order of the alphabet.
// Documents of other verbs, which do not exist, hold nothing but diagnostics.
func Verbs() []string {
	var out []string
	for k := range documentType.NumField() {
		out = append(out, strings.Fields(documentType.Field(k).Tag.Get("verbs"))...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// verbDef returns the name of the definition of a verb's documents.
func verbDef(verb string) string { return verb + "-document" }

// Of returns the schema of all documents. Comments are the descriptions of types and fields, as
// Comments returns them; nil leaves descriptions out.
func Of(comments map[string]string) []byte {
	m := &maker{defs: map[string]node{}, about: comments}
	m.defs[everyField] = m.fields()
	verbs := Verbs()
	var cases []any
	for _, v := range verbs {
		m.defs[verbDef(v)] = m.document(v, node{"const": v})
		cases = append(cases, node{
			"if":   node{"properties": node{"verb": node{"const": v}}},
			"then": node{"$ref": "#/$defs/" + verbDef(v)},
		})
	}
	m.defs[verbDef("unknown-verb")] = m.document("", node{"type": "string"})
	cases = append(cases, node{
		"if":   node{"properties": node{"verb": node{"enum": verbs}}},
		"else": node{"$ref": "#/$defs/" + verbDef("unknown-verb")},
	})
	return encoded(node{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/multigrain/multigrain/docs/reference/result.schema.json",
		"title":       "Results of multigrain",
		"description": "What multigrain VERB -json prints. Generated from cmd/multigrain/internal/result by go generate; do not edit.",
		"type":        "object",
		"required":    []string{"verb"},
		"allOf":       cases,
		"$defs":       m.defs,
	})
}

// document returns the schema of a verb's documents. The definition of all fields describes them
// once, by the definition of all of them. Fields of an embedded struct are there together or not
// at all.
func (m *maker) document(verb string, name node) node {
	properties, required, together := node{}, []string{}, node{}
	for k := range documentType.NumField() {
		f := documentType.Field(k)
		verbs, limited := f.Tag.Lookup("verbs")
		if limited && !slices.Contains(strings.Fields(verbs), verb) {
			continue
		}
		fields := fieldsOf(documentType, f)
		var always []string
		for _, x := range fields {
			properties[x.json] = node{"$ref": "#/$defs/" + everyField + "/properties/" + x.json}
			if !x.omitted {
				always = append(always, x.json)
			}
		}
		if !f.Anonymous {
			required = append(required, always...)
			continue
		}
		first := always[0]
		for _, x := range fields {
			together[x.json] = []string{first}
		}
		together[first] = always
	}
	if words := judged(verb); len(words) > 0 && properties["verdict"] != nil {
		properties["verdict"] = node{"$ref": "#/$defs/" + everyField + "/properties/verdict", "enum": words}
	}
	properties["verb"] = name
	slices.Sort(required)
	def := node{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	if len(together) > 0 {
		def["dependentRequired"] = together
	}
	return def
}

// judged returns the verdicts that a verb has in the field verdict. Those of changed code are in
// another field.
func judged(verb string) []string {
	return slices.DeleteFunc(verdicts.Words(verb), func(w string) bool {
		return w == verdicts.Done || verb == "change" && (w == verdicts.Behaves || w == verdicts.Verified || w == verdicts.Differs)
	})
}

// Values returns the values that the schema allows for a property, such as
// Monitor/properties/verdict. It returns nil if every value is allowed.
func Values(property string) (values []string) {
	var whole struct {
		Defs map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(Of(nil), &whole); err != nil {
		panic(err) // it is JSON
	}
	def, name, _ := strings.Cut(property, "/properties/")
	var p struct{ Enum []string }
	if raw := whole.Defs[def].Properties[name]; raw != nil && json.Unmarshal(raw, &p) == nil {
		values = p.Enum
	}
	return values
}

// everyField is the name of the definition that has the fields of all documents.
const everyField = "fields"

// fields defines the fields of all documents.
func (m *maker) fields() node {
	properties := node{}
	for k := range documentType.NumField() {
		for _, x := range fieldsOf(documentType, documentType.Field(k)) {
			properties[x.json] = m.property(x)
		}
	}
	return node{"properties": properties}
}

// Driver returns the schema of the protocol of drivers: of the lines of both sides, and of what is
// in them. Comments are as of Of.
func Driver(comments map[string]string) []byte {
	m := &maker{defs: map[string]node{}, about: comments}
	line := func(t reflect.Type) node { return node{"$ref": "#/$defs/" + m.define(t)} }
	sides := []any{line(reflect.TypeFor[drivers.Request]()), line(reflect.TypeFor[drivers.Answer]())}
	for _, t := range []reflect.Type{
		reflect.TypeFor[drivers.Hello](), reflect.TypeFor[drivers.Observed](), reflect.TypeFor[drivers.Sightings](),
		reflect.TypeFor[drivers.Coverage](), reflect.TypeFor[drivers.Lines](), reflect.TypeFor[drivers.Evidence](),
	} {
		m.define(t)
	}
	return encoded(node{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/multigrain/multigrain/docs/reference/driver.schema.json",
		"title":       "Protocol of drivers of multigrain, version 1",
		"description": "A line of a request or of an answer. The values of ok are the other definitions. Generated from checker/conform/drivers by go generate; do not edit.",
		"oneOf":       sides,
		"$defs":       m.defs,
	})
}

// encoded returns a schema as a file has it.
func encoded(whole node) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(whole); err != nil {
		panic(err) // maps, lists and strings only
	}
	return b.Bytes()
}

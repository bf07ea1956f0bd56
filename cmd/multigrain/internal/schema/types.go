package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// node is a schema, or a part of one.
type node = map[string]any

// maker makes schemas of types. Those of structs are definitions, by name, which others refer to.
type maker struct {
	defs map[string]node
	// about holds doc comments: of types by package and name, of fields by these and their
	// own name.
	about map[string]string
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	documentType = reflect.TypeFor[result.Document]()
)

// of returns the schema of a type's values. A nil value is not among them.
func (m *maker) of(t reflect.Type) any {
	switch {
	case t == rawType || t.Kind() == reflect.Interface:
		return true
	case t == durationType:
		return node{"type": "integer", "description": "nanoseconds"}
	case t == documentType: // of a manifest that was checked
		return node{"$ref": "#/$defs/" + verbDef("check")}
	}
	if marshals(t) {
		panic(fmt.Sprintf("%s writes its own JSON, which the schema does not know", t))
	}
	switch t.Kind() {
	case reflect.Bool:
		return node{"type": "boolean"}
	case reflect.String:
		return node{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return node{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return node{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return node{"type": "integer", "minimum": 0}
	case reflect.Pointer:
		return m.of(t.Elem())
	case reflect.Slice:
		return node{"type": "array", "items": m.value(t.Elem())}
	case reflect.Array:
		return node{"type": "array", "items": m.value(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return m.mapping(t)
	case reflect.Struct:
		return node{"$ref": "#/$defs/" + m.define(t)}
	}
	panic(fmt.Sprintf("%s has no schema", t))
}

// value returns the schema of a type's values with nil, which is null.
func (m *maker) value(t reflect.Type) any {
	s := m.of(t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if t.Elem() != documentType {
			return node{"anyOf": []any{s, node{"type": "null"}}}
		}
	}
	return s
}

// mapping returns the schema of a map, whose keys are strings or integers.
func (m *maker) mapping(t reflect.Type) node {
	s := node{"type": "object", "additionalProperties": m.value(t.Elem())}
	if t.Key().Kind() != reflect.String {
		s["propertyNames"] = node{"pattern": "^-?[0-9]+$"}
	}
	return s
}

// marshals reports whether a type decides by itself what its JSON is.
func marshals(t reflect.Type) bool {
	for _, i := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(i) || reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}

// define makes the definition of a struct and returns its name.
func (m *maker) define(t reflect.Type) string {
	name := path.Base(t.PkgPath()) + "." + t.Name()
	if t.PkgPath() == documentType.PkgPath() {
		name = t.Name()
	}
	if m.defs[name] != nil {
		return name
	}
	if t.Name() == "" {
		panic(fmt.Sprintf("%s has no name", t))
	}
	m.defs[name] = node{} // for types that hold themselves
	properties, required := node{}, []string{}
	for _, f := range fieldsOf(t, fieldList(t)...) {
		properties[f.json] = m.property(f)
		if !f.omitted {
			required = append(required, f.json)
		}
	}
	def := node{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		slices.Sort(required)
		def["required"] = required
	}
	if text := m.about[typeKey(t)]; text != "" {
		def["description"] = text
	}
	m.defs[name] = def
	return name
}

// property returns the schema of a field, with its doc comment and the values that its tag enum
// names.
func (m *maker) property(f field) any {
	s := m.value(f.Type)
	if f.omitted {
		s = m.of(f.Type)
	}
	text, values := m.about[f.key], strings.Fields(f.Tag.Get("enum"))
	if text == "" && len(values) == 0 {
		return s
	}
	n, ok := s.(node)
	if !ok { // true
		n = node{}
	}
	if len(values) > 0 {
		n["enum"] = values
	}
	if text != "" {
		n["description"] = text
	}
	return n
}

// field is a field of a struct, or of one that is embedded in it, as encoding/json knows it.
type field struct {
	reflect.StructField
	json    string // name
	omitted bool   // where it is empty
	depth   int    // of embedding
	key     string // of its doc comment
}

// fieldsOf returns fields of a struct, with those of embedded structs among them. Of fields with
// the same name the outermost counts, as for encoding/json.
func fieldsOf(t reflect.Type, of ...reflect.StructField) []field {
	found := map[string]field{}
	var order []string
	var walk func(reflect.Type, []reflect.StructField, int)
	walk = func(t reflect.Type, fields []reflect.StructField, depth int) {
		for _, f := range fields {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "":
				inner := f.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				walk(inner, fieldList(inner), depth+1)
				continue
			case !f.IsExported() || name == "-":
				continue
			case name == "" && t.PkgPath() == documentType.PkgPath():
				panic(fmt.Sprintf("field %s of %s has no name in JSON", f.Name, t))
			case name == "":
				name = f.Name
			}
			old, seen := found[name]
			switch {
			case seen && old.depth == depth:
				panic(fmt.Sprintf("%s has two fields %s", t, name))
			case seen && old.depth < depth:
				continue
			case !seen:
				order = append(order, name)
			}
			found[name] = field{f, name, strings.Contains(options, "omit"), depth, typeKey(t) + "." + f.Name}
		}
	}
	walk(t, of, 0)
	out := make([]field, len(order))
	for k, name := range order {
		out[k] = found[name]
	}
	return out
}

func fieldList(t reflect.Type) (out []reflect.StructField) {
	for k := range t.NumField() {
		out = append(out, t.Field(k))
	}
	return out
}

func typeKey(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

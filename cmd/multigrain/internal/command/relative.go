package command

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// relative writes paths for readers on other machines. Files in the folder of a report have paths
// relative to that folder. Files of Go's module cache have the module and what follows it. All
// other paths are relative to base, the folder of the manifest.
type relative struct{ base, folder string }

// named matches what may be the path of a file, in a sentence or by itself. Whether it is one is
// decided by looking for the file.
var named = regexp.MustCompile(`[A-Za-z0-9_.~@%+=,/\\:-]*[A-Za-z0-9_]\.(?:go|java|py|hcl|lock|json|ndjson|log|txt|diff|html|test)\b`)

// document returns a copy of a document with such paths. Texts of sources and the command line are
// left as they are.
func (f relative) document(d *result.Document) *result.Document {
	out := f.value(reflect.ValueOf(d)).Interface().(*result.Document)
	out.Origin = d.Origin
	for k := range out.Sources {
		out.Sources[k].Text = d.Sources[k].Text
	}
	for k := range out.Diagnostics {
		out.Diagnostics[k].Excerpt = d.Diagnostics[k].Excerpt
	}
	return out
}

// value returns a copy of a value in which each text is rewritten.
func (f relative) value(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(f.text(v.String()))
		return out
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		x := f.value(v.Elem())
		if v.Kind() == reflect.Interface {
			out.Set(x)
			return out
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(x)
		return out
	case reflect.Struct:
		out.Set(v) // fields that are not exported as well
		for k := range v.NumField() {
			if v.Type().Field(k).IsExported() {
				out.Field(k).Set(f.value(v.Field(k)))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for k := range v.Len() {
			out.Index(k).Set(f.value(v.Index(k)))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMap(v.Type()))
		for _, key := range v.MapKeys() {
			out.SetMapIndex(f.value(key), f.value(v.MapIndex(key)))
		}
		return out
	}
	return v
}

// text returns a text with the paths of files that exist rewritten.
func (f relative) text(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return named.ReplaceAllStringFunc(s, f.path)
}

// path returns the path of a file, rewritten; what is no file stays as it is.
func (f relative) path(name string) string {
	if _, inside, ok := strings.Cut(filepath.ToSlash(name), "/pkg/mod/"); ok && filepath.IsAbs(name) && strings.Contains(inside, "@") {
		return inside
	}
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return name
	}
	if inside, ok := rel(f.folder, name); ok && filepath.IsLocal(inside) {
		return filepath.ToSlash(inside)
	}
	if out, ok := rel(f.base, name); ok {
		return filepath.ToSlash(out)
	}
	return name
}

// rel returns a path as seen from a folder; both may be relative to the working folder.
func rel(folder, name string) (string, bool) {
	from, failed := filepath.Abs(folder)
	to, err := filepath.Abs(name)
	if failed != nil || err != nil {
		return "", false
	}
	out, err := filepath.Rel(from, to)
	return out, err == nil
}

// Package setting gives constants of a specification their values as a program starts. The composer
// makes such a constant a variable, so that compositions that differ in options share one program.
// It also has the names that fields of changed code got. It imports nothing of the project, so any
// package can import it.
package setting

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Variable is the environment variable with the values: a JSON object of Go expressions by the
// name of the constant.
const Variable = "MULTIGRAIN_SETTINGS"

// given reads the values, once.
var given = sync.OnceValues(func() (out map[string]string, err error) {
	text := os.Getenv(Variable)
	if text == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(text), &out)
	return out, err
})

// Of returns the value of a constant. Texts are the Go expressions of its values, in their order.
// It panics if the environment has none of these for the constant. Then the program was started by
// something else than the command that built it.
func Of[T any](name string, texts []string, values ...T) T {
	all, err := given()
	if err != nil {
		panic(fmt.Sprintf("%s: %v", Variable, err))
	}
	return chosen(all, name, texts, values)
}

func chosen[T any](all map[string]string, name string, texts []string, values []T) T {
	text, ok := all[name]
	k := slices.Index(texts, text)
	if !ok || k < 0 {
		panic(fmt.Sprintf("%s has the value %q for constant %s, which takes one of %q", Variable, text, name, texts))
	}
	return values[k]
}

// FieldKey returns the name of the setting with the new name of a field. Pkg is the import path of
// the package that declares the field. Name is the name before the change.
func FieldKey(pkg, name string) string { return "field " + pkg + "." + name }

// Field returns the name that a field has in the code which runs, by the name that it had before
// the change.
func Field(pkg, name string) string {
	all, err := given()
	if to, ok := all[FieldKey(pkg, name)]; ok && err == nil {
		return to
	}
	return name
}

// FieldWas returns the name that a field had before the change.
func FieldWas(pkg, name string) string {
	all, _ := given()
	for key, to := range all {
		if was, ok := strings.CutPrefix(key, FieldKey(pkg, "")); ok && to == name && !strings.ContainsAny(was, "./") {
			return was
		}
	}
	return name
}

package speclint

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

func argument(fn string, k int) string { return fmt.Sprint(fn, " ", k) }

// notGiven are functions in the interface of packages modules and grains that no specification
// gives to a checker or a monitor, with the reason.
var notGiven = map[string]string{
	"Bound.Enabled": "made by Bind", "Bound.Apply": "made by Bind", "Bound.Match": "made by Bind",
	"Bound.EnabledWith": "made by Bind", "Bound.ApplyWith": "made by Bind", "StepOf.Holds": "made by Bind",
	"StandingStep.Before": "made by Bind", "StandingStep.Holds": "made by Bind",
	"Spec.Init": "made by Compose from System.Init",
	"Fill 2":    "the names of constants, as checker/conform/drivers reads them",
	"All 1":     "called by the step that gives it", "Where 1": "called by the step that gives it",
	"LivenessInstance.From": "made by Instances", "LivenessInstance.To": "made by Instances",
}

// TestEntries compares the tables of entries with packages modules and grains. Every exported field
// and every argument of an exported function that is a function must be an entry, or be listed with
// a reason.
func TestEntries(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadTypes}, modulesPath, grainsPath)
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatalf("the packages cannot be loaded: %v", err)
	}
	var have []string
	for _, p := range pkgs {
		for _, name := range p.Types.Scope().Names() {
			switch o := p.Types.Scope().Lookup(name).(type) {
			case *types.TypeName:
				have = append(have, functionFields(o)...)
			case *types.Func:
				have = append(have, functionArguments(o)...)
			}
		}
	}
	entries := Entries()
	for _, name := range have {
		if slices.Contains(entries, name) == (notGiven[name] != "") {
			t.Errorf("%s is a function: list it in fields or constructors, or in notGiven with a reason", name)
		}
	}
	for _, name := range entries {
		if !slices.Contains(have, name) {
			t.Errorf("%s is an entry that the packages do not have", name)
		}
	}
	for name := range notGiven {
		if !slices.Contains(have, name) {
			t.Errorf("notGiven has %s, which the packages do not have", name)
		}
	}
}

// functionFields returns the exported fields of a struct that are functions.
func functionFields(o *types.TypeName) (out []string) {
	s, ok := o.Type().Underlying().(*types.Struct)
	if !ok || !o.Exported() {
		return nil
	}
	for f := range s.Fields() {
		if _, is := f.Type().Underlying().(*types.Signature); is && f.Exported() {
			out = append(out, o.Name()+"."+f.Name())
		}
	}
	return out
}

// functionArguments returns the arguments of a function that are functions. Those of iterators and
// of functions that look at names are calls of the framework.
func functionArguments(o *types.Func) (out []string) {
	if !o.Exported() {
		return nil
	}
	for k := range o.Signature().Params().Len() {
		typ := o.Signature().Params().At(k).Type()
		_, is := typ.Underlying().(*types.Signature)
		if n, ok := types.Unalias(typ).(*types.Named); ok && n.Obj().Name() == "Names" {
			continue // how values are named in results
		}
		if is && !strings.HasPrefix(o.Signature().Params().At(k).Name(), "yield") {
			out = append(out, argument(o.Name(), k))
		}
	}
	return out
}

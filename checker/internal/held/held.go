// Package held sums up what the objects of an implementation hold, field by field. So two programs
// with different code can be compared in places that no variable of a specification stands for.
package held

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// What it computes. For each field of the struct types of some packages, a sum of what all
// reachable objects hold in it. The path to each object counts.
//
// Why it is right. Objects are visited from the roots in an order that their contents decide. It is
// that of the fields in their types, of indices, and of the sums of a map's keys. So two programs
// that hold the same have the same sums. Other sums mean that something differs. A sum has 64 bits:
// two different contents have equal ones once in 10^19 cases.
//
// What it does not see. What function values and channels hold, structs of other packages (they
// count by the name of their type), the capacity of slices, and which of two equal objects a
// pointer leads to.
//
// What it costs. About a hundred nanoseconds for each value that is reachable.

// Sums has the sum of each field that was reached, by its name: the import path of the package, the
// name of the type, and the field, as in go.etcd.io/raft/v3.raft.Term. The type of a field of a
// struct without a name is empty.
type Sums map[string]uint64

// Objects sums up what the objects of a behaviour hold, moment by moment.
type Objects struct {
	packages []string
	types    map[reflect.Type]*layout
	names    []string // of fields, in the order in which types were met
	now, all []uint64 // sums by field: of this moment, and of all
	met      []int    // the number of the moment in which a field was there last; 0: in none
	moment   int
	seen     map[object]bool
	known    map[object]uint64 // the contents of objects
}

// New returns the sums of no moment. Packages are prefixes of the import paths whose structs are
// entered.
func New(packages ...string) *Objects {
	return &Objects{packages: packages, types: map[reflect.Type]*layout{}, seen: map[object]bool{}, known: map[object]uint64{}}
}

// Begin forgets all moments.
func (v *Objects) Begin() {
	clear(v.all)
	clear(v.met)
	v.moment = 0
}

// Add adds a moment: what is reachable from roots now.
func (v *Objects) Add(roots ...any) {
	v.moment++
	clear(v.now)
	clear(v.seen)
	clear(v.known)
	for k := range roots {
		v.visit(reflect.ValueOf(&roots[k]).Elem(), mix(start, uint64(k)))
	}
	for k, sum := range v.now {
		if v.met[k] == v.moment {
			v.all[k] = mix(mix(v.all[k], uint64(v.moment)), sum)
		}
	}
}

// Sums returns the sums of all moments, in order. A field that no object had is missing.
func (v *Objects) Sums() Sums {
	out := Sums{}
	for k, name := range v.names {
		if v.met[k] > 0 {
			out[name] += v.all[k] // structs without a name may share one
		}
	}
	return out
}

// Then adds the sums of a later behaviour: the result depends on the order.
func (s Sums) Then(later Sums) {
	for name, sum := range later {
		s[name] = mix(s[name], sum)
	}
	for name, sum := range s {
		if _, ok := later[name]; !ok {
			s[name] = mix(sum, 0)
		}
	}
}

const start = 0x9e3779b97f4a7c15

// mix returns a sum of two values in which their order counts.
func mix(a, b uint64) uint64 {
	a ^= b + start + a<<6 + a>>2
	a ^= a >> 30
	a *= 0xbf58476d1ce4e5b9
	a ^= a >> 27
	a *= 0x94d049bb133111eb
	return a ^ a>>31
}

// sumOf returns the sum of a text, which is equal in all processes.
func sumOf(text string) uint64 {
	sum := uint64(start)
	for len(text) >= 8 {
		sum = mix(sum, binary.LittleEndian.Uint64([]byte(text[:8])))
		text = text[8:]
	}
	for k := range len(text) {
		sum = mix(sum, uint64(text[k]))
	}
	return sum
}

// object is the target of a pointer, or the array of a slice. Slices of one array differ in length.
type object struct {
	at  unsafe.Pointer
	of  reflect.Type
	len int // of a slice
}

// layout is a struct type with the numbers of its fields.
type layout struct {
	entered bool
	name    uint64 // the sum of its name
	fields  []int
}

func (v *Objects) layout(t reflect.Type) *layout {
	l := v.types[t]
	if l != nil {
		return l
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	path := t.PkgPath()
	l = &layout{name: sumOf(t.String()), entered: name == "" && path == "" || slices.ContainsFunc(v.packages, func(p string) bool {
		return path == p || strings.HasPrefix(path, p+"/")
	})}
	for k := 0; l.entered && k < t.NumField(); k++ {
		f := t.Field(k)
		of := path
		if of == "" {
			of = f.PkgPath
		}
		l.fields = append(l.fields, len(v.names))
		v.names = append(v.names, of+"."+name+"."+f.Name)
		v.now, v.all, v.met = append(v.now, 0), append(v.all, 0), append(v.met, 0)
	}
	v.types[t] = l
	return l
}

// visit adds the fields of all structs that are reachable from x. The way is the sum of
// the path that leads there.
func (v *Objects) visit(x reflect.Value, way uint64) {
	switch x.Kind() {
	case reflect.Pointer:
		if x.IsNil() || !v.first(object{at: x.UnsafePointer(), of: x.Type()}) {
			return
		}
		v.visit(x.Elem(), mix(way, 1))
	case reflect.Interface:
		if !x.IsNil() {
			v.visit(x.Elem(), way)
		}
	case reflect.Slice:
		if x.IsNil() || plain(x.Type().Elem()) || x.Len() > 0 && !v.first(object{x.UnsafePointer(), x.Type(), x.Len()}) {
			return
		}
		fallthrough
	case reflect.Array:
		if plain(x.Type().Elem()) {
			return
		}
		for k := range x.Len() {
			v.visit(x.Index(k), mix(way, uint64(k)+2))
		}
	case reflect.Map:
		if plain(x.Type().Elem()) && plain(x.Type().Key()) {
			return
		}
		for _, e := range v.entries(x) {
			v.visit(e.key, mix(way, e.sum))
			v.visit(e.value, mix(way, e.sum+1))
		}
	case reflect.Struct:
		l := v.layout(x.Type())
		if !l.entered {
			return
		}
		for k := range x.NumField() {
			f := x.Field(k)
			here := mix(way, uint64(k)+1000)
			v.now[l.fields[k]] += mix(here, v.content(f))
			v.met[l.fields[k]] = v.moment
			v.visit(f, here)
		}
	}
}

// first reports whether an object is visited for the first time.
func (v *Objects) first(o object) bool {
	if v.seen[o] {
		return false
	}
	v.seen[o] = true
	return true
}

// plain reports whether values of a type have no struct.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		return false
	}
	return true
}

type entry struct {
	sum        uint64
	key, value reflect.Value
}

// entries returns the entries of a map in the order of the sums of their keys, and of their values
// where these are equal.
func (v *Objects) entries(x reflect.Value) (out []entry) {
	for it := x.MapRange(); it.Next(); {
		out = append(out, entry{v.content(it.Key()), it.Key(), it.Value()})
	}
	slices.SortFunc(out, func(a, b entry) int {
		if a.sum == b.sum {
			return cmp.Compare(v.content(a.value), v.content(b.value))
		}
		return cmp.Compare(a.sum, b.sum)
	})
	return out
}

// typeOf returns the sum of a type's name.
func (v *Objects) typeOf(t reflect.Type) uint64 {
	if t.Kind() == reflect.Struct {
		return v.layout(t).name
	}
	return sumOf(t.String())
}

// inCycle is the content of an object within itself.
const inCycle = 10

// pointee returns the sum of what a pointer leads to.
func (v *Objects) pointee(x reflect.Value) uint64 {
	o := object{at: x.UnsafePointer(), of: x.Type()}
	if sum, ok := v.known[o]; ok {
		return sum
	}
	v.known[o] = inCycle
	sum := v.content(x.Elem())
	v.known[o] = sum
	return sum
}

// content returns the sum of a value with all that pointers lead to.
func (v *Objects) content(x reflect.Value) uint64 {
	switch x.Kind() {
	case reflect.Bool:
		if x.Bool() {
			return 3
		}
		return 2
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(4, uint64(x.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(5, x.Uint())
	case reflect.Float32, reflect.Float64:
		return mix(6, math.Float64bits(x.Float()))
	case reflect.Complex64, reflect.Complex128:
		return mix(mix(7, math.Float64bits(real(x.Complex()))), math.Float64bits(imag(x.Complex())))
	case reflect.String:
		return mix(8, sumOf(x.String()))
	case reflect.Pointer, reflect.Interface:
		switch {
		case x.IsNil():
			return 9
		case x.Kind() == reflect.Interface:
			return mix(v.typeOf(x.Elem().Type()), v.content(x.Elem()))
		}
		return mix(11, v.pointee(x))
	case reflect.Slice:
		if x.IsNil() {
			return 12
		}
		fallthrough
	case reflect.Array:
		sum := mix(13, uint64(x.Len()))
		for k := range x.Len() {
			sum = mix(sum, v.content(x.Index(k)))
		}
		return sum
	case reflect.Map:
		if x.IsNil() {
			return 14
		}
		sum := mix(15, uint64(x.Len()))
		for _, e := range v.entries(x) {
			sum = mix(mix(sum, e.sum), v.content(e.value))
		}
		return sum
	case reflect.Struct:
		l := v.layout(x.Type())
		sum := l.name
		for k := 0; l.entered && k < x.NumField(); k++ {
			sum = mix(sum, v.content(x.Field(k)))
		}
		return sum
	}
	if !x.IsValid() || (x.Kind() == reflect.Func || x.Kind() == reflect.Chan || x.Kind() == reflect.UnsafePointer) && x.IsNil() {
		return 16
	}
	return 17
}

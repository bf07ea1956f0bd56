package selftest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/flatjson"
	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/modules"
)

// encoder writes events as lines of a stream: docs/reference/stream.md.
type encoder[S any] struct{ *model[S] }

// message returns the line of a message.
func (e *encoder[S]) message(kind refine.EventKind, peer int, msg []byte) []byte {
	b := fmt.Appendf(nil, `{"event":"%s","peer":%d,"msg":`, kind, peer)
	own := bytes.Clone(msg)
	v := reflect.NewAt(e.nets[e.netOf(msg)].Message, unsafe.Pointer(&own[0])).Elem()
	return append(e.value(b, v), '}')
}

// input returns the line of an input.
func (e *encoder[S]) input(a *act[S], sets []byte) []byte {
	b := fmt.Appendf(nil, `{"event":"input","action":%q`, a.name)
	if v := reflect.ValueOf(a.bound.Params[a.k]); v.Kind() == reflect.Struct && v.NumField() > 1 {
		b = e.value(append(b, `,"params":`...), v)
	}
	if sets != nil {
		b = append(append(b, `,"set":`...), sets...)
	}
	return append(b, '}')
}

// value appends a value. Zero fields of a struct are left out.
func (e *encoder[S]) value(b []byte, v reflect.Value) []byte {
	t := v.Type()
	if t.PkgPath() == reflect.TypeFor[modules.None]().PkgPath() && t.Kind() == reflect.Struct || t.Name() != "" && strings.HasPrefix(t.Name(), "Set[") {
		w := modules.ViewOf(v.Interface(), e.spec.Names)
		return refine.AppendView(b, &w)
	}
	switch {
	case v.CanInt():
		return e.number(b, t, v.Int())
	case v.CanUint():
		if v.Uint() > 1<<62 {
			return strconv.AppendUint(b, v.Uint(), 10)
		}
		return e.number(b, t, int64(v.Uint()))
	case t.Kind() == reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case t.Kind() == reflect.Array:
		b = append(b, '[')
		for k := range v.Len() {
			if k > 0 {
				b = append(b, ',')
			}
			b = e.value(b, v.Index(k))
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for k := range t.NumField() {
		if !t.Field(k).IsExported() || v.Field(k).IsZero() && k > 0 {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, t.Field(k).Name), ':')
		b = e.value(b, v.Field(k))
	}
	return append(b, '}')
}

func (e *encoder[S]) number(b []byte, t reflect.Type, x int64) []byte {
	if name, ok := e.spec.Names(t, x); ok && t.Kind() != reflect.Int {
		return strconv.AppendQuote(b, name)
	}
	return strconv.AppendInt(b, x, 10)
}

// randomSets draws values of variables that an input sets, and returns what sets them, and the JSON
// of it; nil where it sets none.
func (e *encoder[S]) randomSets(a *act[S], random *rand.Rand) (func(*S), []byte) {
	b := []byte{'{'}
	type part struct {
		x    *setting
		text []byte
	}
	var parts []part
	for k := range a.sets {
		x := &a.sets[k]
		if k > 0 && random.IntN(2) == 0 {
			continue
		}
		text, ok := e.random(nil, x.t, random)
		if !ok {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, x.name), ':'), text...)
		parts = append(parts, part{x, text})
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return func(p *S) {
		for _, x := range parts {
			at := unsafe.Add(unsafe.Pointer(p), x.x.at)
			clear(unsafe.Slice((*byte)(at), x.x.of.Size))
			_ = x.x.of.Read(flatjson.NewScanner(x.text), at) // what does not fit stays zero
		}
	}, append(b, '}')
}

// random appends the JSON of a random small value of a type. ok is false for types that have
// no random values.
func (e *encoder[S]) random(b []byte, t reflect.Type, random *rand.Rand) (out []byte, ok bool) {
	ours := t.PkgPath() == reflect.TypeFor[modules.None]().PkgPath()
	switch {
	case ours && strings.HasPrefix(t.Name(), "Set["):
		b = append(b, '[')
		for k := range e.servers {
			if random.IntN(2) == 0 {
				if b[len(b)-1] != '[' {
					b = append(b, ',')
				}
				b = strconv.AppendInt(b, int64(k), 10)
			}
		}
		return append(b, ']'), true
	case ours && strings.HasPrefix(t.Name(), "Seq["):
		elem, _ := t.FieldByName("elem")
		return e.randomList(b, elem.Type.Elem(), min(random.IntN(3), elem.Type.Len()), random)
	case ours:
		return b, false
	case t.Kind() == reflect.Bool:
		return strconv.AppendBool(b, random.IntN(2) == 0), true
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		if names := e.spec.Enum(t); len(names) > 0 {
			x := random.Int64N(int64(len(names)))
			if name, ok := e.spec.Names(t, x); ok {
				return strconv.AppendQuote(b, name), true
			}
		}
		return strconv.AppendInt(b, random.Int64N(5), 10), true
	case t.Kind() == reflect.Array:
		return e.randomList(b, t.Elem(), t.Len(), random)
	case t.Kind() == reflect.Struct:
		b = append(b, '{')
		for f := range t.Fields() {
			if !f.IsExported() {
				continue
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(strconv.AppendQuote(b, f.Name), ':')
			if b, ok = e.random(b, f.Type, random); !ok {
				return b, false
			}
		}
		return append(b, '}'), true
	}
	return b, false
}

func (e *encoder[S]) randomList(b []byte, elem reflect.Type, n int, random *rand.Rand) (out []byte, ok bool) {
	b = append(b, '[')
	for k := range n {
		if k > 0 {
			b = append(b, ',')
		}
		if b, ok = e.random(b, elem, random); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

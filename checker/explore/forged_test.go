package explore_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
)

// A forger takes a checkpoint apart, changes what it likes, and computes all checksums again. It
// knows the format of the file from its description in checker/explore/internal/store and nothing
// else.

// frame is a record of a checkpoint.
type frame struct {
	kind byte
	body []byte
}

const magic = "multigrain checkpoint\n"

// takeApart returns the records of a checkpoint, without the last one, which counts them.
func takeApart(t testing.TB, file []byte) (frames []frame) {
	t.Helper()
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok {
		t.Fatal("the file has another start")
	}
	rest = rest[:len(rest)-sha256.Size]
	for len(rest) > 0 {
		size := binary.LittleEndian.Uint32(rest[1:])
		frames = append(frames, frame{rest[0], slices.Clone(rest[9 : 9+size])})
		rest = rest[9+size:]
	}
	return frames[:len(frames)-1]
}

// putTogether makes a file of records, with right checksums and the right number of records. Its
// seal is that of a run without a key.
func putTogether(frames []frame) []byte {
	out := []byte(magic)
	table := crc32.MakeTable(crc32.Castagnoli)
	end := frame{'E', binary.LittleEndian.AppendUint64(nil, uint64(len(frames)))}
	for _, f := range append(slices.Clone(frames), end) {
		out = append(out, f.kind)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(f.body)))
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(append([]byte{f.kind}, f.body...), table))
		out = append(out, f.body...)
	}
	seal := hmac.New(sha256.New, nil)
	seal.Write(out[len(magic):])
	return seal.Sum(out)
}

// counted returns a model with everything that a checkpoint has: steps that are masked, goals,
// violations of two kinds, several initial nodes.
func counted() *checker.Spec[digits] {
	spec := endless(func(s *digits) bool { return s.D[0]+s.D[1] != 7 || s.D[2] != 2 })
	inner := spec.Init
	spec.Init = func(yield func(*digits) bool) {
		inner(func(n *digits) bool {
			for k := range 3 {
				n.D[4] = uint8(k)
				for range 2 { // each twice
					if !yield(n) {
						return false
					}
				}
			}
			return true
		})
	}
	spec.Within = func(s *digits) bool {
		return s.D[0] < 9 && s.D[1] < 8 && s.D[2] < 7 && s.D[3] < 3 && s.D[4] < 3 && s.D[5]+s.D[6] == 0
	}
	spec.Raised = func(s *digits) (bool, uint64) { return s.D[0] == 4 && s.D[3] == 2, 0 }
	spec.Masked = []checker.Property{{ID: "M", Kind: "assert"}}
	spec.MaskedBy = func(*digits) uint64 { return 1 }
	spec.Goals = []checker.Property{{ID: "far"}, {ID: "near"}}
	spec.Reached = func(n *digits) uint64 {
		if n.D[0] == 8 {
			return 1
		}
		return 2
	}
	return spec
}

// forgery is a model, a checkpoint of it, and what a run finds that continues from it.
type forgery[T comparable] struct {
	spec   *checker.Spec[T]
	opt    explore.Options
	frames []frame
	want   checker.Result[T]
}

// newForgery explores a part of a model.
func newForgery[T comparable](t testing.TB, spec *checker.Spec[T], opt explore.Options, states int64) *forgery[T] {
	t.Helper()
	f := &forgery[T]{spec: spec, opt: explore.Logged(explore.Small(opt))}
	part := f.opt
	part.Checkpoint, part.MaxStates = t.TempDir(), states
	res, err := explore.Run(spec, part)
	if err != nil || res.Checkpoint.Distinct == 0 {
		t.Fatalf("no checkpoint: %v, %+v", err, res.Checkpoint)
	}
	file, err := os.ReadFile(filepath.Join(part.Checkpoint, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	f.frames = takeApart(t, file)
	if f.want, err = explore.Run(spec, f.opt); err != nil {
		t.Fatal(err)
	}
	if wrong, refused := f.resume(t, f.frames); refused != nil || wrong != "" {
		t.Fatalf("the checkpoint itself: %v, %s", refused, wrong)
	}
	return f
}

// mostTime is how long a run that continues from a forged checkpoint may take.
const mostTime = time.Minute

// resume continues from forged records. It returns how the result differs, or why the records are
// refused.
func (f *forgery[T]) resume(t testing.TB, frames []frame) (wrong string, refused error) {
	t.Helper()
	opt := f.opt
	opt.Resume, opt.Timeout, opt.Mem = t.TempDir(), mostTime, 256<<20
	if err := os.WriteFile(filepath.Join(opt.Resume, "checkpoint"), putTogether(frames), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := explore.Run(f.spec, opt)
	if err != nil {
		return "", err
	}
	return differs(&res, &f.want), nil
}

// differs says how a result differs from another one: "" where it does not.
func differs[T comparable](got, want *checker.Result[T]) string {
	says := func(r *checker.Result[T]) string {
		s := fmt.Sprintf("%s %q, %d distinct, %d generated, depth %d, levels %v, digest %x, goals %b, masked %d %v, actions %v",
			r.Verdict, r.Reason, r.Distinct, r.Generated, r.Depth, r.Levels, r.Digest, r.Goals, r.Masked, r.MaskedBy, r.Actions)
		for _, v := range r.Violations {
			s += fmt.Sprintf(", %d of invariant %d in %d steps to %v", v.Count, v.Invariant, v.Depth, end(&v))
		}
		return s
	}
	if a, b := says(got), says(want); a != b {
		return a + "\nwant " + b
	}
	return ""
}

// refusal reports whether an error says that the checkpoint is unusable, or that a trace of it does
// not replay.
func refusal(err error) bool {
	return errors.As(err, new(*explore.CheckpointError)) || errors.As(err, new(*checker.ReplayError))
}

// forged judges a forgery of one record: it is refused, or it changes nothing.
func (f *forgery[T]) forged(t *testing.T, what string, frames []frame, sum map[string]int) {
	t.Helper()
	wrong, refused := f.resume(t, frames)
	switch {
	case refused != nil && !refusal(refused):
		t.Errorf("%s: %v", what, refused)
	case wrong != "":
		t.Errorf("%s: %s", what, wrong)
	case refused != nil:
		sum["refused"]++
	default:
		sum["harmless"]++
	}
}

// with returns the records with the k-th one replaced by others.
func with(frames []frame, k int, by ...frame) []frame {
	return slices.Concat(frames[:k:k], by, frames[k+1:])
}

// TestForgedHead changes every field of the head and of the totals, deep within them.
func TestForgedHead(t *testing.T) {
	t.Parallel()
	f := newForgery(t, counted(), explore.Options{Workers: 1}, 900)
	sum := map[string]int{}
	fields := map[string]bool{}
	for k, x := range f.frames {
		if x.kind != 'H' && x.kind != 'T' {
			continue
		}
		for name, text := range forgeJSON(t, x.body) {
			fields[name] = true
			f.forged(t, string(x.kind)+name, with(f.frames, k, frame{x.kind, text}), sum)
		}
	}
	t.Logf("%v, %d fields", sum, len(fields))
	if sum["refused"] < 200 || sum["harmless"] > sum["refused"]/10 {
		t.Errorf("%v: the forger does not do what it is made for", sum)
	}
}

// unproved are the fields for which only an exploration from the initial nodes tells what is right.
// In a run without a key, nobody finds a change of head and totals alike.
var unproved = []string{"Masked", "MaskedBy", "Goals", "Groups", "Elapsed"}

// TestForgedTwice changes a field of head and totals alike. That is refused, too, except for the
// fields of unproved, and never ends in a panic or without an end.
func TestForgedTwice(t *testing.T) {
	t.Parallel()
	f := newForgery(t, counted(), explore.Options{Workers: 1}, 900)
	head, totals := 0, len(f.frames)-1
	for name, text := range forgeJSON(t, f.frames[head].body) {
		frames := with(with(f.frames, head, frame{'H', text}), totals, frame{'T', text})
		wrong, refused := f.resume(t, frames)
		if refused != nil && !refusal(refused) {
			t.Errorf("%s: %v", name, refused)
		}
		proved := !slices.ContainsFunc(unproved, func(field string) bool { return strings.HasPrefix(name, "["+field) })
		if wrong != "" && proved {
			t.Errorf("%s: %s", name, wrong)
		}
	}
}

// TestForgedSeal changes head and totals alike, as TestForgedTwice does, and takes a checkpoint of
// a run without a key. A run with a key refuses all of them.
func TestForgedSeal(t *testing.T) {
	t.Parallel()
	f := newForgery(t, counted(), explore.Options{Workers: 1}, 900)
	head, totals := 0, len(f.frames)-1
	f.opt.Key = []byte("a key that the forger does not have")
	forgeries := map[string][]frame{"nothing changed": f.frames}
	for name, text := range forgeJSON(t, f.frames[head].body) {
		forgeries[name] = with(with(f.frames, head, frame{'H', text}), totals, frame{'T', text})
	}
	for name, frames := range forgeries {
		if wrong, refused := f.resume(t, frames); !refusal(refused) {
			t.Errorf("%s: %v %s", name, refused, wrong)
		}
	}
	_, refused := f.resume(t, f.frames)
	if refused == nil || !strings.Contains(refused.Error(), "its seal does not fit") {
		t.Errorf("a checkpoint without a key: %v", refused)
	}
}

// TestSealed continues from a checkpoint with the key of the run that wrote it, and with another.
func TestSealed(t *testing.T) {
	t.Parallel()
	opt := explore.Small(explore.Options{Workers: 1, Checkpoint: t.TempDir(), MaxStates: 300, Key: []byte("one")})
	if res, err := explore.Run(counted(), opt); err != nil || res.Checkpoint.Distinct == 0 {
		t.Fatalf("no checkpoint: %v", err)
	}
	opt.Resume, opt.MaxStates, opt.Key = opt.Checkpoint, 0, []byte("other")
	if _, err := explore.Run(counted(), opt); !refusal(err) {
		t.Errorf("with another key: %v", err)
	}
	opt.Key = []byte("one")
	res, err := explore.Run(counted(), opt)
	if err != nil || res.Checkpoint.Resumed == 0 {
		t.Fatalf("with its key: %v", err)
	}
	want, err := explore.Run(counted(), explore.Small(explore.Options{Workers: 1}))
	if err != nil {
		t.Fatal(err)
	}
	if wrong := differs(&res, &want); wrong != "" {
		t.Error(wrong)
	}
}

// forgeJSON returns variants of a document in which one value is another one.
func forgeJSON(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	decode := func() (v any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	var paths [][]any
	var walk func(v any, path []any)
	walk = func(v any, path []any) {
		if len(path) > 0 {
			paths = append(paths, slices.Clone(path))
		}
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], append(path, k))
			}
		case []any:
			for k := range v[:min(len(v), 3)] {
				walk(v[k], append(path, k))
			}
		}
	}
	walk(decode(), nil)
	for _, path := range paths {
		for name, change := range changes {
			root := decode()
			if !replaceAt(root, path, change) {
				continue
			}
			b, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			out[fmt.Sprintf("%v %s", path, name)] = b
		}
	}
	return out
}

// changes are the ways in which a forger changes a value. They return nil where they do not apply.
var changes = map[string]func(v any) any{
	"plus one":  number(func(n int64) int64 { return n + 1 }),
	"minus one": number(func(n int64) int64 { return n - 1 }),
	"negative":  number(func(n int64) int64 { return -n - 5 }),
	"huge":      number(func(n int64) int64 { return 1 << 61 }),
	"least":     number(func(n int64) int64 { return -1 << 63 }),
	"zero": number(func(n int64) int64 {
		if n == 0 {
			return 7
		}
		return 0
	}),
	"shorter": func(v any) any {
		if l, ok := v.([]any); ok && len(l) > 0 {
			return l[:len(l)-1]
		}
		return nil
	},
	"longer": func(v any) any {
		if l, ok := v.([]any); ok && len(l) > 0 {
			return append(slices.Clone(l), l[len(l)-1])
		}
		return nil
	},
	"other text": func(v any) any {
		if s, ok := v.(string); ok {
			return s + "AAAA"
		}
		return nil
	},
}

func number(f func(int64) int64) func(any) any {
	return func(v any) any {
		if n, ok := v.(json.Number); ok {
			if x, err := n.Int64(); err == nil {
				return json.Number(fmt.Sprint(f(x)))
			}
			return json.Number("1") // a sum of hashes
		}
		return nil
	}
}

// replaceAt changes the value at a path and reports whether that applies.
func replaceAt(root any, path []any, change func(any) any) bool {
	at := root
	for _, p := range path[:len(path)-1] {
		switch x := at.(type) {
		case map[string]any:
			at = x[p.(string)]
		case []any:
			at = x[p.(int)]
		}
	}
	return setAt(at, path[len(path)-1], change)
}

func setAt(at, last any, change func(any) any) bool {
	switch x := at.(type) {
	case map[string]any:
		v := change(x[last.(string)])
		if v == nil {
			return false
		}
		x[last.(string)] = v
	case []any:
		v := change(x[last.(int)])
		if v == nil {
			return false
		}
		x[last.(int)] = v
	}
	return true
}

// TestForgedRecords changes bytes, numbers and lengths of the large records, and takes records out,
// doubles and exchanges them.
func TestForgedRecords(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]*forgery[digits]{
		"64 bits": newForgery(t, counted(), explore.Options{Workers: 1}, 900),
		"96 bits": newForgery(t, counted(), explore.Options{Workers: 1, Fingerprint: 96}, 300),
	} {
		r := rand.New(rand.NewPCG(5, 6))
		sum := map[string]int{}
		kinds := map[byte]int{}
		for k, x := range f.frames {
			kinds[x.kind]++
			if kinds[x.kind] > 6 {
				continue
			}
			for n := range 12 {
				f.forged(t, fmt.Sprintf("%s: %c %d, %d", name, x.kind, k, n), with(f.frames, k, frame{x.kind, forgeBytes(r, x.body, n)}), sum)
			}
			f.forged(t, fmt.Sprintf("%s: %c %d left out", name, x.kind, k), with(f.frames, k), sum)
			f.forged(t, fmt.Sprintf("%s: %c %d doubled", name, x.kind, k), with(f.frames, k, x, x), sum)
			other := r.IntN(len(f.frames))
			swapped := slices.Clone(f.frames)
			swapped[k], swapped[other] = swapped[other], swapped[k]
			f.forged(t, fmt.Sprintf("%s: %c %d exchanged with %d", name, x.kind, k, other), swapped, sum)
		}
		t.Logf("%s: %v of %v", name, sum, kinds)
		if len(kinds) != 6 || sum["refused"] < 100 {
			t.Errorf("%s: %v of %v: the forger does not do what it is made for", name, sum, kinds)
		}
	}
}

// forgeBytes changes a record in the n-th way.
func forgeBytes(r *rand.Rand, body []byte, n int) []byte {
	b := slices.Clone(body)
	if len(b) == 0 {
		return []byte{1}
	}
	at := r.IntN(len(b))
	switch n {
	case 0:
		return b[:at]
	case 1:
		return append(b, byte(r.Uint32()))
	case 2:
		return append(b, b...)
	case 3:
		return nil
	case 4, 5, 6, 7: // the numbers at its start
		b[n-4] ^= byte(1 + r.IntN(255))
	case 8:
		return append(bytes.Repeat([]byte{0xff}, 9), b...)
	case 9:
		return slices.Delete(b, at, at+1)
	default:
		b[at] ^= 1 << r.IntN(8)
	}
	return b
}

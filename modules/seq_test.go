package modules

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// item is an element of two fields.
type item struct {
	A uint8
	B int8
}

func randomItem(r *rand.Rand) item { return item{uint8(1 + r.IntN(3)), int8(r.IntN(2) - 1)} }

// bytesOf returns the bytes of a flat value, by which states are compared.
func bytesOf[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

// sameBytes compares a value with one that was built from the same contents without a history.
// Equal contents have equal bytes exactly if unused slots are zero.
func sameBytes[T any](t *testing.T, what string, got, fresh *T) {
	t.Helper()
	if !slices.Equal(bytesOf(got), bytesOf(fresh)) {
		t.Fatalf("%s: bytes %v, without a history %v", what, bytesOf(got), bytesOf(fresh))
	}
}

// caught runs do and returns the error that it panics with, nil if it does not.
func caught(do func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	do()
	return nil
}

// isFull and isOutside recognise the panics that steps should raise.
func isFull(err error, capacity int) bool {
	e, ok := errors.AsType[*CapacityError](err)
	return ok && e.Capacity == capacity
}

func isOutside(err error, index, length int) bool {
	e, ok := errors.AsType[*RangeError](err)
	return ok && e.Index == index && e.Len == length
}

func TestSeqAgainstSlice(t *testing.T) {
	t.Parallel()
	seqAgainstSlice[[0]item](t)
	seqAgainstSlice[[1]item](t)
	seqAgainstSlice[[5]item](t)
	seqAgainstSlice[[64]item](t)
}

func seqAgainstSlice[A Array[item]](t *testing.T) {
	var q Seq[item, A]
	t.Run(fmt.Sprint(q.Cap()), func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(1, uint64(q.Cap())))
		var want []item
		for range 20_000 {
			before := q
			op, next, due, err := seqStep(t, r, &q, want)
			if due != (err != nil) {
				t.Fatalf("%s of %v: panic %v, due: %v", op, want, err, due)
			}
			if err == nil {
				want = next
			} else if q != before {
				t.Fatalf("%s panicked and changed the sequence", op)
			}
			checkSeq(t, op, &q, want)
		}
	})
}

// seqStep does one random operation and returns its name, what a slice makes of it, whether a panic
// is due, and the panic.
func seqStep[A Array[item]](t *testing.T, r *rand.Rand, q *Seq[item, A], have []item) (op string, want []item, due bool, err error) {
	n, c := len(have), q.Cap()
	v, k := randomItem(r), r.IntN(n+4)-1
	within := k >= 1 && k <= n
	want = slices.Clone(have)
	switch r.IntN(9) {
	case 0:
		op, due, err = "Append", n == c, caught(func() { q.Append(v) })
		want = append(want, v)
	case 1:
		op, due, err = fmt.Sprintf("Put(%d)", k), !within, caught(func() { q.Put(k, v) })
		if within {
			want[k-1] = v
		}
	case 2:
		op, due, err = fmt.Sprintf("Remove(%d)", k), !within, caught(func() { q.Remove(k) })
		if within {
			want = slices.Delete(want, k-1, k)
		}
	case 3:
		op, due, err = fmt.Sprintf("Insert(%d)", k), k < 1 || k > n+1 || n == c, caught(func() { q.Insert(k, v) })
		if !due {
			want = slices.Insert(want, k-1, v)
		}
	case 4:
		var got item
		op, due, err = "PopFront", n == 0, caught(func() { got = q.PopFront() })
		if !due {
			if got != want[0] {
				t.Fatalf("PopFront of %v is %v", want, got)
			}
			want = want[1:]
		}
	case 5:
		op, want = fmt.Sprintf("Truncate(%d)", k), want[:max(0, min(k, n))]
		q.Truncate(k)
	case 6:
		var tail Seq[item, A]
		for range r.IntN(c + 1) {
			tail.Append(randomItem(r))
			want = append(want, tail.Last())
		}
		op, due, err = fmt.Sprintf("AppendAll of %d", tail.Len()), len(want) > c, caught(func() { q.AppendAll(&tail) })
	case 7:
		op, due, err = fmt.Sprintf("Prefix(%d)", k), k > n, caught(func() { *q = q.Prefix(k) })
		want = want[:max(0, min(k, n))]
	case 8:
		if r.IntN(20) == 0 {
			op, want = "Clear", nil
			q.Clear()
		}
	}
	return op, want, due, err
}

func checkSeq[A Array[item]](t *testing.T, op string, q *Seq[item, A], want []item) {
	t.Helper()
	var fresh Seq[item, A]
	for _, v := range want {
		fresh.Append(v)
	}
	sameBytes(t, op, q, &fresh)
	if q.Len() != len(want) || q.Empty() != (len(want) == 0) {
		t.Fatalf("%s: length %d, want %d", op, q.Len(), len(want))
	}
	var last item
	for k, v := range want {
		last = v
		if q.At(k+1) != v {
			t.Fatalf("%s: element %d is %v, want %v", op, k+1, q.At(k+1), v)
		}
		if got := q.Find(v); got != slices.Index(want, v)+1 {
			t.Fatalf("%s: Find(%v) = %d", op, v, got)
		}
	}
	if q.Last() != last || q.Find(item{9, 9}) != 0 {
		t.Fatalf("%s: last element %v, want %v", op, q.Last(), last)
	}
}

func TestSeqPanicsNameTheBound(t *testing.T) {
	t.Parallel()
	var q Seq[item, [2]item]
	q.Append(item{1, 1})
	for k, err := range map[int]error{
		0:  caught(func() { q.At(0) }),
		2:  caught(func() { q.At(2) }),
		-1: caught(func() { q.Put(-1, item{}) }),
		3:  caught(func() { q.Remove(3) }),
		4:  caught(func() { q.Prefix(4) }),
		5:  caught(func() { q.Insert(5, item{}) }),
	} {
		if !isOutside(err, k, 1) {
			t.Errorf("position %d: %v", k, err)
		}
	}
	q.Append(item{2, 2})
	for _, err := range []error{
		caught(func() { q.Append(item{}) }),
		caught(func() { q.AppendAll(&q) }),
		caught(func() { q.Insert(1, item{}) }),
	} {
		e, ok := errors.AsType[*CapacityError](err)
		if !ok || e.Capacity != 2 || e.Address != reflect.ValueOf(&q).Pointer() {
			t.Errorf("full: %#v", err)
		}
	}
}

func TestSeqHasPrefix(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2))
	for range 5_000 {
		var q, p Seq[item, [4]item]
		var qs, ps []item
		for range r.IntN(5) {
			v := randomItem(r)
			q.Append(v)
			qs = append(qs, v)
		}
		for k := range r.IntN(5) {
			v := randomItem(r)
			if k < len(qs) && r.IntN(4) > 0 {
				v = qs[k]
			}
			p.Append(v)
			ps = append(ps, v)
		}
		want := len(ps) <= len(qs) && slices.Equal(ps, qs[:min(len(ps), len(qs))])
		if got := q.HasPrefix(&p); got != want {
			t.Fatalf("%v has prefix %v: %v", qs, ps, got)
		}
	}
}

// TestSizes: value types are as large as what they hold, and a capacity of 0 leaves one byte.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ  reflect.Type
		want uintptr
	}{
		{reflect.TypeFor[Seq[item, [0]item]](), 1},
		{reflect.TypeFor[Seq[item, [3]item]](), 7},
		{reflect.TypeFor[Records[item, [0]item]](), 1},
		{reflect.TypeFor[Records[item, [3]item]](), 7},
		{reflect.TypeFor[Map[int8, item, [0]item]](), 1},
		{reflect.TypeFor[Map[int8, item, [3]item]](), 7},
		{reflect.TypeFor[Set[int8]](), 1},
		{reflect.TypeFor[Raised[uint8]](), 4},
		{reflect.TypeFor[Channel[item, [2]item]](), 6},
	} {
		if c.typ.Size() != c.want {
			t.Errorf("%v has %d bytes, want %d", c.typ, c.typ.Size(), c.want)
		}
	}
}

func TestAtMost(t *testing.T) {
	t.Parallel()
	if got := AtMost[uint8](3, 3); got != 3 {
		t.Errorf("AtMost(3, 3) is %d", got)
	}
	if err := caught(func() { AtMost[uint8](4, 3) }); !isFull(err, 3) {
		t.Errorf("AtMost(4, 3): %v, want a *CapacityError of 3", err)
	}
}

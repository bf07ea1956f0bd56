// Package p has forms of statements that notes must leave as they are.
package p

import "errors"

type num interface{ ~int | ~float64 }

func sum[T num](xs ...T) (t T) {
	for _, x := range xs {
		t += x
	}
	return t
}

var hook = func(n int) bool {
	if n > 3 {
		return true
	}
	return n == 2 || n == 1
}

var table = map[string]func() int{
	"a": func() int { return 1 },
}

const big = 1 << 3

func labels(n int) int {
	i := 0
outer:
	for {
		for j := 0; j < 3; j++ {
			i++
			if i > n {
				break outer
			}
			continue outer
		}
	}
	if i > 100 {
		goto end
	}
	i++
end:
	return i
}

func jump(n int) int {
	if n > 0 {
		goto done
	}
	n = 5
done:
	n++
	return n
}

func jumpend(n int) {
	for n > 0 {
		n--
		if n == 2 {
			goto out
		}
	}
out:
}

func sel(c, d chan int) (n int) {
	select {
	case v := <-c:
		n = v
	case d <- func() int { return 3 }():
		n = 7
	default:
		n = 9
	}
	select {
	case <-c:
	default:
	}
	return n
}

func initSwitch(n int) string {
	switch m := n * 2; {
	case m > 4 && n > 0:
		return "big"
	case m == 0:
		fallthrough
	default:
		return "small"
	}
}

func typeSwitch(x any) string {
	switch y := x.(type) {
	case int:
		if y > 2 {
			return "int"
		}
		return "smallint"
	case nil:
		return "nil"
	case error, string:
		if y != errors.ErrUnsupported {
			return "some"
		}
	}
	return "other"
}

func over(yield func(int) bool) {
	_ = yield(1) && yield(2)
}

func rangeFunc() (n int) {
	for x := range over {
		n += x
	}
	for range 3 {
		n++
	}
	return
}

func deferGo(n int) (r int) {
	done := make(chan bool)
	defer func() {
		r += n
	}()
	go func() { done <- n > 1 && n < 10 }()
	if <-done {
		r = 1
	}
	return
}

type Bool bool

func named(a, b Bool) Bool {
	if a && !b {
		return a || b
	}
	return a == b
}

const c1 = big > 3 && big < 10

func constCond() int {
	if big > 3 && c1 {
		return 1
	}
	return 2
}

func infinite(n int) int {
	for {
		n++
		if n > 5 {
			return n
		}
	}
}

func panics(n int) int {
	switch {
	case n > 0:
		return 1
	default:
		panic("no")
	}
}

func ifInit(m map[string]int) int {
	if v, ok := m["a"]; ok && v > 1 {
		return v
	} else if v2, ok2 := m["b"]; ok2 || v2 > 0 {
		return v2
	} else {
		return v
	}
}

type emb struct{ inner }
type inner struct{ n int }

func (i *inner) inc() bool { i.n++; return i.n > 2 }

func (e *emb) use() bool { return e.inc() && e.inner.inc() }

func init() {
	hook(1)
	if len(table) > 1 {
		println("x")
	}
}

func init() { hook(2) }

func oneline(a int) int {
	if a > 0 {
		return 1
	}
	return 0
}

func multi(a,
	b int) (x bool) {
	x = a > 0 &&
		b > 0 ||
		a == b
	return x &&
		a != 3
}

func labelledSwitch(n int) int {
sw:
	switch n {
	case 1:
		break sw
	case 2:
		return 3
	}
	return 4
}

func unusedLabelStmt(n int) int {
loop:
	if n < 3 {
		n++
		goto loop
	}
	return n
}

func retFunc() func(int) bool {
	return func(n int) bool { return n > 0 && n < 5 }
}

func compare(a, b any) bool {
	return a == b || a != nil
}

func ranges(m map[string]int) (k string) {
	for k = range m {
	}
	for i, s := range []string{"a", "b"} {
		if i > 0 {
			k += s
		}
	}
	return
}

func rawString() string {
	s := `a
b
c`
	return s
}
func noBody(n int) {}

func constants(n int) bool {
	const few = big > 3 && big < 10
	var values [2]bool
	values[0] = few
	return values[0] && n > 1
}

func (e emb) value() Bool { return e.n == 3 }

func pair[K comparable, B ~bool](a, b K) B {
	return a == b
}

func chain(c []chan int) (n int) {
	for n < 9 && len(c) > 0 {
		select {
		case v, ok := <-c[0]:
			if !ok || v > 2 {
				return v
			}
		}
	}
	return n
}

func emptySel() {
	for false {
		select {}
	}
}

const mask = 1<<5 - 1

type bits uint16

func operations[T ~int | ~uint](n int, b bits, v T, s []int, m map[string]int, a [8]int, f float64) (int, T) {
	n &= mask
	n = n%100 | n<<3>>2
	q := min(2, len(s)) + max(n, mask, 7) + max(m["a"], 3)
	b &^= 1 << 3
	s = s[:4]
	w := []byte("a")[:1]
	v = v/2 + v&3
	switch n & 3 {
	case 1 & 3:
	}
	var c [mask & 7]int
	f /= 2
	return q + len(c)/2 + len(a)/2 + int(uint8(n)) + int(byte(b)) + int(w[0]) + int(int32(f)), v
}

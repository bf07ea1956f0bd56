// Package values has functions that steps may call, and others. It is no specification.
package values

import (
	"math/rand"
	"time"
)

type Zxid struct{ Epoch, Counter int8 }

var largest Zxid

func (z Zxid) After(y Zxid) bool { return z.compare(y) > 0 } // want After:"a function of values"

func (z Zxid) compare(y Zxid) int { // want compare:"a function of values"
	if z.Epoch != y.Epoch {
		return int(z.Epoch) - int(y.Epoch)
	}
	return int(z.Counter) - int(y.Counter)
}

// First calls a function literal of its own.
func First(zs [2]Zxid) Zxid { // want First:"a function of values"
	at := func(k int) Zxid { return zs[k] }
	return at(0)
}

func (z *Zxid) Raise() { z.Counter++ }

func Random(n int) int { return random(n) }

func random(n int) int { return rand.Intn(n) }

func Largest() Zxid { return largest }

func Hour() int { return time.Now().Hour() }

func Any[T any](v T) T { return v }

func Half(n int8) int8 { return int8(float64(n) / 2) }

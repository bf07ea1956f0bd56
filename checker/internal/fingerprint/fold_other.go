//go:build !amd64 || portable

package fingerprint

import "unsafe"

// fold takes count times foldBytes from p on into the lanes.
func fold(p unsafe.Pointer, count uintptr, l *lanes) {
	a, b, c, d, e, f := l[0], l[1], l[2], l[3], l[4], l[5]
	for ; count > 0; count-- {
		w := (*[foldBytes / 8]uint64)(p)
		a = mix(w[0]^k1, w[1]^a)
		b = mix(w[2]^k1, w[3]^b)
		c = mix(w[4]^k1, w[5]^c)
		d = mix(w[6]^k1, w[7]^d)
		e = mix(w[8]^k1, w[9]^e)
		f = mix(w[10]^k1, w[11]^f)
		p = unsafe.Add(p, foldBytes)
	}
	l[0], l[1], l[2], l[3], l[4], l[5] = a, b, c, d, e, f
}

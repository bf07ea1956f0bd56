package explore

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker/fingerprint"
)

// BenchmarkTable puts fingerprints into a table that grows from its first size on, as in an exploration that finds so many
// distinct nodes. Nothing is prefetched.
func BenchmarkTable(b *testing.B) {
	for _, n := range []uint64{1 << 18, 1 << 21, 1 << 24} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			for b.Loop() {
				st := newStore(0)
				t, err := newTableOf(st, pageBuckets-tailBuckets, false)
				if err != nil {
					b.Fatal(err)
				}
				for k := range n {
					h := fingerprint.Of(&k)
					for k == uint64(t.limit) || t.insert(h, t.home(h)) == full {
						if err := t.grow(); err != nil {
							b.Fatal(err)
						}
						t.move()
					}
				}
				b.ReportMetric(float64(st.held)/float64(n), "B/entry")
				st.free()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
		})
	}
}

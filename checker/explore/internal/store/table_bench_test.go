package store

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// BenchmarkTable puts fingerprints into a table that grows from its first size on, as in an
// exploration that finds so many distinct nodes. Nothing is prefetched.
func BenchmarkTable(b *testing.B) {
	for _, n := range []uint64{1 << 18, 1 << 21, 1 << 24} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			for b.Loop() {
				st := memory.NewBudget(0)
				t, err := NewTable(st, pageBuckets-tailBuckets, false)
				if err != nil {
					b.Fatal(err)
				}
				for k := range n {
					h := fingerprint.Of(&k)
					for k == uint64(t.limit) || t.insert(h, t.home(h)) == Full {
						if err := t.Grow(); err != nil {
							b.Fatal(err)
						}
						t.Move()
					}
				}
				b.ReportMetric(float64(st.Held())/float64(n), "B/entry")
				st.Free()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
		})
	}
}

package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// BenchmarkGuided compares guided walks of conform with plain ones, in one run: it reports the
// steps of guided walks for each step of plain walks, in the same processor time. The library has
// no mistake.
//
//	go test ./.ci/pages/experiment -run none -bench Guided
func BenchmarkGuided(b *testing.B) {
	b.Chdir("../../..")
	b.Setenv("GOMAXPROCS", "1")
	for _, manifest := range []string{"etcd", "etcd-full"} {
		b.Run(manifest, func(b *testing.B) {
			w := workshop{folder: b.TempDir(), built: map[string]*built{}}
			x := subject{Kind: inLibrary, Name: "none", Manifest: filepath.Join("configs/raft", manifest+".hcl"), Mutant: &mutants.Mutant{}}
			if _, err := os.Stat(x.Manifest); err != nil {
				b.Fatal(err)
			}
			rate := map[string]float64{}
			steps, seconds := map[string]float64{}, map[string]float64{}
			for n := 0; b.Loop(); n++ {
				for _, strategy := range []string{"weighted", "guided"} {
					c := cell{Kind: x.Kind, Subject: x.Name, Strategy: strategy, Seed: n, Limit: 2}
					if err := w.run(b.Context(), x, &c); err != nil {
						b.Fatal(err)
					}
					if c.Found {
						b.Fatalf("the library differs in %s", c.What)
					}
					steps[strategy] += float64(c.Steps)
					seconds[strategy] += c.Seconds
					rate[strategy] = steps[strategy] / seconds[strategy]
				}
			}
			b.ReportMetric(rate["guided"]/rate["weighted"], "guided/plain")
			b.ReportMetric(rate["weighted"], "plain-steps/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

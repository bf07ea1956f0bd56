package experiment

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// BenchmarkGuided compares guided walks of conform with plain ones, in one run: it reports the
// steps of guided walks for each step of plain walks, in the same processor time. The library has
// no mistake.
//
//	go test ./.ci/pages/experiment -run none -bench Guided
func BenchmarkGuided(b *testing.B) {
	b.Chdir("../../..")
	b.Setenv("GOMAXPROCS", "1")
	program := filepath.Join(b.TempDir(), "multigrain")
	if err := kept.Command(program); err != nil {
		b.Fatal(err)
	}
	for _, manifest := range []string{"etcd", "etcd-full"} {
		b.Run(manifest, func(b *testing.B) {
			rate := map[string]float64{}
			steps, seconds := map[string]float64{}, map[string]float64{}
			for n := 0; b.Loop(); n++ {
				for _, strategy := range []string{"weighted", "guided"} {
					text, err := exec.Command(program, "conform", "configs/raft/"+manifest+".hcl", "-json", "-branches=false", "-workers=1", "-walks=0",
						"-processor-time=2s", "-strategy="+strategy, fmt.Sprintf("-seed=%d", n)).Output()
					var d document
					if err != nil || json.Unmarshal(text, &d) != nil || d.Conform == nil {
						b.Fatalf("%v: %s", err, text)
					}
					steps[strategy] += float64(d.Conform.Steps)
					seconds[strategy] += d.Conform.Processor
					rate[strategy] = steps[strategy] / seconds[strategy]
				}
			}
			b.ReportMetric(rate["guided"]/rate["weighted"], "guided/plain")
			b.ReportMetric(rate["weighted"], "plain-steps/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

package compose

import (
	"context"
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/configs"
)

// BenchmarkReference explores configuration MID with assembled programs: what a user waits for,
// except for building. "table" is the same program without its generated next-state function.
func BenchmarkReference(b *testing.B) {
	c, program := assembled(b, "../configs/raft/reference.hcl")
	for _, table := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			name := "generated"
			if table {
				name = "table"
			}
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				for b.Loop() {
					r, err := wire.Run(b.Context(), program, wire.Request{
						Verb: "check", Choice: c.EncodedChoice(), Options: wire.Options{Workers: workers, Stop: 1, Table: table},
					}, nil)
					if err != nil || r.Distinct != 1_512_004 {
						b.Fatal(r, err)
					}
					b.ReportMetric(float64(r.Distinct)/r.Seconds, "distinct/s")
					b.ReportMetric(float64(r.Generated)/r.Seconds, "generated/s")
					b.ReportMetric(float64(r.Memory)/float64(r.Distinct), "B/state")
				}
			})
		}
	}
}

// BenchmarkBuild assembles a program. Only the packages that all programs share are cached.
func BenchmarkBuild(b *testing.B) {
	m := loaded(b, "../configs/raft/reference.hcl")
	for b.Loop() {
		c, diags := Resolve(m, Env{CacheDir: b.TempDir()})
		if diags.HasErrors() {
			b.Fatal(diags)
		}
		if _, diags := c.Assemble(b.Context(), assemble.Check); diags.HasErrors() {
			b.Fatal(diags)
		}
	}
}

// BenchmarkCached finds a program that was built before.
func BenchmarkCached(b *testing.B) {
	m := loaded(b, "../configs/raft/reference.hcl")
	assembled(b, "../configs/raft/reference.hcl")
	for b.Loop() {
		c, diags := Resolve(m, Env{CacheDir: sharedCache})
		if diags.HasErrors() {
			b.Fatal(diags)
		}
		if _, diags := c.Assemble(b.Context(), assemble.Check); diags.HasErrors() {
			b.Fatal(diags)
		}
	}
}

func loaded(b *testing.B, path string) *configs.Manifest {
	b.Helper()
	m, diags := configs.Load(path, configs.Options{})
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	return m
}

func assembled(b *testing.B, path string) (*Composition, string) {
	b.Helper()
	c, diags := Resolve(loaded(b, path), Env{CacheDir: sharedCache})
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	program, diags := c.Assemble(context.Background(), assemble.Check)
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	return c, program
}

package jobs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Most is the greatest number of jobs of a run.
const Most = 10_000_000

// group is a set of jobs before it is expanded.
type group struct {
	job       Job      // what all have in common
	manifests []string // relative to the root
	each      []axis
	seeds     *seeds
}

// axis is a variable with the values that jobs give it.
type axis struct {
	name   string
	values []string
}

// seeds are the whole numbers from first to last.
type seeds struct{ first, last uint64 }

// expand returns the jobs of a group, in the order manifests, values, seeds. Complete fills in what
// depends on the manifest and the values.
func (g group) expand(complete func(*Job) error) ([]Job, error) {
	rows := [][]string{g.job.Vars}
	for _, a := range g.each {
		var next [][]string
		for _, row := range rows {
			for _, v := range a.values {
				next = append(next, append(slices.Clone(row), a.name+"="+v))
			}
			if len(next) > Most {
				return nil, errTooMany
			}
		}
		rows = next
	}
	number := 1.0
	if g.seeds != nil {
		number = float64(g.seeds.last-g.seeds.first) + 1
	}
	if number*float64(len(rows))*float64(len(g.manifests)) > Most {
		return nil, errTooMany
	}
	var out []Job
	for _, m := range g.manifests {
		for _, row := range rows {
			j := g.job
			j.Manifest, j.Vars = m, row
			if g.seeds != nil {
				j.Seed = &g.seeds.first
			}
			if err := j.Check(); err != nil {
				return nil, err
			}
			if err := complete(&j); err != nil {
				return nil, err
			}
			if g.seeds == nil {
				out = append(out, j)
				continue
			}
			for k := range g.seeds.last - g.seeds.first + 1 {
				seed := g.seeds.first + k
				j.Seed = &seed
				out = append(out, j)
			}
		}
	}
	return out, nil
}

var errTooMany = fmt.Errorf("there are more than %d jobs. Use fewer values or seeds", Most)

// parseSeeds reads a range such as 1..1000, or one seed.
func parseSeeds(text string) (*seeds, error) {
	low, high, ranged := strings.Cut(text, "..")
	if !ranged {
		high = low
	}
	first, err1 := strconv.ParseUint(strings.TrimSpace(low), 10, 64)
	last, err2 := strconv.ParseUint(strings.TrimSpace(high), 10, 64)
	if err := cmp.Or(err1, err2); err != nil || last < first || last == math.MaxUint64 {
		return nil, fmt.Errorf("%q is not a range of seeds. Write one as 1..1000", text)
	}
	return &seeds{first, last}, nil
}

// parseValues reads a range of whole numbers such as 1..3, or values with commas between them.
func parseValues(text string) ([]string, error) {
	low, high, ranged := strings.Cut(text, "..")
	if !ranged {
		values := strings.Split(text, ",")
		if slices.Contains(values, "") {
			return nil, fmt.Errorf("%q has an empty value. Write values as 1..3 or a,b", text)
		}
		return values, nil
	}
	first, err1 := strconv.ParseInt(strings.TrimSpace(low), 10, 32)
	last, err2 := strconv.ParseInt(strings.TrimSpace(high), 10, 32)
	if cmp.Or(err1, err2) != nil || last < first {
		return nil, fmt.Errorf("%q is not a range of values. Write one as 1..3", text)
	}
	if last-first >= Most {
		return nil, errTooMany
	}
	var values []string
	for k := first; k <= last; k++ {
		values = append(values, strconv.FormatInt(k, 10))
	}
	return values, nil
}

// parseAxis reads the flag -each: NAME=VALUES.
func parseAxis(text string) (axis, error) {
	name, list, found := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !found || name == "" {
		return axis{}, fmt.Errorf("-each %q names no variable. Write NAME=1..3 or NAME=a,b", text)
	}
	values, err := parseValues(list)
	return axis{name, values}, err
}

package result

import "github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"

// Compared is one of the compositions that the verb compare compares.
type Compared struct {
	Manifest string    `json:"manifest"`
	Result   *Document `json:"result"`
}

// File is the result of fmt for a file.
type File struct {
	Path      string `json:"path"`
	Changed   bool   `json:"changed"`
	Diff      string `json:"diff,omitempty"`      // with -diff
	Formatted string `json:"formatted,omitempty"` // text, where it is printed
}

// Test is the result of the verb test for one manifest.
type Test struct {
	Manifest    string    `json:"manifest"`
	OK          bool      `json:"ok"`
	Expected    string    `json:"expected"`
	Found       string    `json:"found"`
	Seconds     float64   `json:"seconds"` // with loading and building
	Differences []string  `json:"differences"`
	Result      *Document `json:"result"`
}

// Fleet is the result of many jobs. It is the same for any number of workers, and for any deaths of
// workers that the run survived.
type Fleet struct {
	Run  string `json:"run"`  // 16 hexadecimal digits of the jobs and their sources
	Jobs int    `json:"jobs"` // that there are
	// Sources is the SHA-256 digest of the sources, in hexadecimal digits.
	Sources string     `json:"sources"`
	Ended   []FleetJob `json:"ended"` // those with a result, in the order of the jobs
	// Store is the folder in which an embedded server keeps a run that has not ended. The same
	// command continues from there.
	Store string `json:"store,omitempty"`
	// Runs are runs on a server, with -status. Nothing is judged then.
	Runs []FleetStatus `json:"runs,omitempty"`
}

// FleetJob is a job with its result.
type FleetJob struct {
	Title    string        `json:"title"`
	Outcome  verdicts.Word `json:"outcome"` // as expected, differs or undecided
	Expected string        `json:"expected"`
	Found    string        `json:"found"`
	// Exit is the exit code of the job's command; -1 if it ended without one.
	Exit        int      `json:"exit"`
	Differences []string `json:"differences,omitempty"`
	// Lost says why there is no result.
	Lost      string `json:"lost,omitempty"`
	Distinct  int64  `json:"distinct,omitempty"`
	Generated int64  `json:"generated,omitempty"`
	Depth     int    `json:"depth,omitempty"` // in transitions
	Digest    string `json:"digest,omitempty"`
}

// FleetStatus says how far a run is.
type FleetStatus struct {
	Run       string  `json:"run"`
	Sources   string  `json:"sources"`
	Begun     string  `json:"begun"` // date and time, UTC, RFC 3339
	Jobs      int     `json:"jobs"`
	Finished  int     `json:"finished"`
	Running   int     `json:"running"`
	Waiting   int     `json:"waiting"`
	Done      bool    `json:"done,omitempty"` // its document can be printed
	PerSecond float64 `json:"jobs_per_second"`
	// Left is the time that the rest takes at this rate, in seconds; -1 if it is not known.
	Left float64 `json:"left_seconds"`
	// Imbalance is the greatest busy time of a worker divided by the mean; 0 without workers.
	Imbalance   float64       `json:"imbalance"`
	Deaths      int           `json:"deaths"` // workers that ended without leaving
	Coordinator string        `json:"coordinator,omitempty"`
	Workers     []FleetWorker `json:"workers"`
}

// FleetWorker is a worker of a run.
type FleetWorker struct {
	Name    string  `json:"name"`
	State   string  `json:"state" enum:"alive left dead"`
	Jobs    int     `json:"jobs"`
	Seconds float64 `json:"seconds"` // that its jobs took
}

// Counts returns how many jobs have each outcome. Jobs without a result are undecided.
func (f *Fleet) Counts() map[verdicts.Word]int {
	counts := map[verdicts.Word]int{verdicts.Undecided: f.Jobs - len(f.Ended)}
	for _, j := range f.Ended {
		counts[j.Outcome]++
	}
	return counts
}

// outcome returns the verdict of all jobs together.
func (f *Fleet) outcome() verdicts.Word {
	counts := f.Counts()
	for _, word := range []verdicts.Word{verdicts.Differs, verdicts.Undecided} {
		if counts[word] > 0 {
			return word
		}
	}
	return verdicts.AsExpected
}

// Tests returns the jobs with a result as tests, for JUnit.
func (f *Fleet) Tests() (out []Test) {
	for _, j := range f.Ended {
		t := Test{Manifest: j.Title, OK: j.Outcome == verdicts.AsExpected, Expected: j.Expected, Found: j.Found, Differences: j.Differences}
		if j.Outcome == verdicts.Undecided {
			t.Found = string(verdicts.Undecided)
			t.Differences = append(t.Differences, "found: "+j.Found)
		}
		if j.Lost != "" {
			t.Differences = append(t.Differences, j.Lost)
		}
		out = append(out, t)
	}
	return out
}

// Diff is in what two results differ.
type Diff struct {
	A       string     `json:"a"` // paths of the documents
	B       string     `json:"b"`
	Verdict string     `json:"verdict" enum:"same differs"`
	Lines   []DiffLine `json:"lines"`
}

// DiffLine is a value that differs. Values are texts, "" where a side has none. Those of the group
// time never count.
type DiffLine struct {
	Group string `json:"group" enum:"what verdict settings counts coverage messages time"`
	Name  string `json:"name"`
	A     string `json:"a"`
	B     string `json:"b"`
}

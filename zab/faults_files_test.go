package zab

import "testing"

// TestApartFilesInPart: what a start does with each part that the end of a process or a loss of
// power leaves of the record that was being written. docs/results/starts.md has real servers.
func TestApartFilesInPart(t *testing.T) {
	t.Parallel()
	was := synced(t)
	was.ServingState[0] = RUNNING
	logged := was.diskOf(0).Log
	if NodeCrashInFile.Guard(&was, Unfinished{0, emptyFile}) || NodeLosesPowerInFile.Guard(&was, Unfinished{0, emptyFile}) {
		t.Error("nothing is queued, and a file is left in part")
	}
	was.logRequest(0, txn(1, 3))
	for _, c := range []struct {
		name    string
		end     *Action[Unfinished]
		part    Part
		refused bool
	}{
		{"log-file-empty", &NodeCrashInFile, emptyFile, !deletesEmptyLog},
		{"log-half-at-end", &NodeCrashInFile, halfRecord, false},
		{"log-file-empty", &NodeLosesPowerInFile, emptyFile, !deletesEmptyLog},
		{"log-header-half", &NodeLosesPowerInFile, halfHeader, true},
		{"log-half-at-end", &NodeLosesPowerInFile, halfRecord, false},
		{"log-corrupt", &NodeLosesPowerInFile, badChecksum, true},
	} {
		s := was
		take(t, c.end, &s, Unfinished{0, c.part})
		take(t, &NodeStartReadsFiles, &s, One{I: 0})
		if s.Raised.Has(FileInPart) != c.refused || s.isOn(0) == c.refused {
			t.Errorf("%s: refused %v, runs %v", c.name, s.Raised.Has(FileInPart), s.isOn(0))
		}
		if !c.refused {
			s.has(t, 0, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2})
		}
		if got := s.diskOf(0).Log; (got == logged) == c.refused {
			t.Errorf("%s: the log has %v", c.name, got)
		}
		if again := s; c.refused { // the file stays
			again.Raised = initial().Raised
			take(t, &NodeStartReadsFiles, &again, One{I: 0})
			if !again.Raised.Has(FileInPart) || again.isOn(0) {
				t.Errorf("%s: a second start runs", c.name)
			}
		}
	}
}

// TestApartSnapshotsLost: a loss of power can take the only snapshot, if none is forced. From 3.5
// on a server does not start with a log alone.
func TestApartSnapshotsLost(t *testing.T) {
	t.Parallel()
	s := synced(t)
	forced := s
	forced.diskOf(0).Snapshot = Image{Txns: history(txn(1, 1))}
	if NodeLosesSnapshots.Guard(&forced, One{I: 0}) {
		t.Error("a forced snapshot is lost")
	}
	take(t, &NodeLosesSnapshots, &s, One{I: 0})
	take(t, &NodeStartReadsFiles, &s, One{I: 0})
	if s.Raised.Has(FileInPart) != needsSnapshot || s.isOn(0) == needsSnapshot {
		t.Errorf("refused %v, runs %v", s.Raised.Has(FileInPart), s.isOn(0))
	}
	if !needsSnapshot {
		s.has(t, 0, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2})
	}
}

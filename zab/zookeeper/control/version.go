package control

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a released version of ZooKeeper, as 3.8.0.
type Version [3]int

// ParseVersion reads a version. What follows a dash, as a distribution's own number, is left out.
func ParseVersion(s string) (v Version, err error) {
	plain, _, _ := strings.Cut(s, "-")
	parts := strings.Split(plain, ".")
	if len(parts) != len(v) {
		return v, fmt.Errorf("%q is no version of ZooKeeper: write three numbers, as 3.8.0", s)
	}
	for k, p := range parts {
		if v[k], err = strconv.Atoi(p); err != nil || v[k] < 0 {
			return v, fmt.Errorf("%q is no version of ZooKeeper: write three numbers, as 3.8.0", s)
		}
	}
	return v, nil
}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// Compare orders versions: negative where v is older than w.
func (v Version) Compare(w Version) int {
	for k := range v {
		if v[k] != w[k] {
			return v[k] - w[k]
		}
	}
	return 0
}

// HasLocalSessions reports whether sessions need no transactions. Version 3.5.0 has these, and the
// dynamic configuration with several quorums.
func (v Version) HasLocalSessions() bool { return v.Compare(Version{3, 5, 0}) >= 0 }

// HasMaxBatchSize reports whether ZooKeeper's class has a field maxBatchSize.
func (v Version) HasMaxBatchSize() bool { return withProcessWrite.Has(v) }

// ResetsPhase reports whether a server that looks for a leader is in the phase ELECTION. Before
// 3.6.0 it keeps the phase that it had.
func (v Version) ResetsPhase() bool { return v.Compare(Version{3, 6, 0}) >= 0 }

// BoundsNotifications reports whether a setting bounds the time between two notifications
// (zookeeper.fastleader.maxNotificationInterval). Before 3.6.0 it grows to a minute.
func (v Version) BoundsNotifications() bool { return v.Compare(Version{3, 6, 0}) >= 0 }

// Range is a set of versions: From and later ones, but before Until. A zero Until has no limit.
type Range struct{ From, Until Version }

// Has reports whether a version is in the range.
func (r Range) Has(v Version) bool {
	return v.Compare(r.From) >= 0 && (r.Until == Version{} || v.Compare(r.Until) < 0)
}

// Ranges is a union of ranges. None stands for all versions.
type Ranges []Range

// Has reports whether a version is in one of the ranges.
func (r Ranges) Has(v Version) bool {
	for _, one := range r {
		if one.Has(v) {
			return true
		}
	}
	return len(r) == 0
}

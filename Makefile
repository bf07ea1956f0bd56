# What must hold before a change lands, in at most fifteen minutes on two idle cores.
# docs/how-to/tests.md says how samples work.
.PHONY: ci
ci:
	.ci/run

# The same with every long test and every manifest whole. It takes hours.
.PHONY: long
long:
	.ci/run --long

# Lists the entries of lock files that are stale, with the expected time, compares these and no others,
# and writes each as soon as it is decided. A run that was ended continues with those that are left.
# ARGS are flags of go test.
.PHONY: lock
lock:
	-go run ./cmd/multigrain interaction -lock -stale configs
	go test ./cmd/multigrain -count=1 -timeout 0 -run 'TestLocked$$' -lock -v $(ARGS)

# Compares all compositions that lock files have results for, and fails on a difference. It takes half
# an hour. A run that was ended continues with those that are left: LOCKED has the others, as long as
# no source changes. ARGS are flags of go test.
LOCKED ?= $(HOME)/.cache/multigrain-locked
.PHONY: locked
locked:
	@mkdir -p $(dir $(LOCKED))
	MULTIGRAIN_SLOW=1 go test ./cmd/multigrain -count=1 -timeout 6h -run 'TestLockedAgain$$' -v -locked.store $(LOCKED) $(ARGS)

# docs/results/larger.md: each shipped coarse grain compared once with twice the faults, and once with
# five nodes, each at most 30 minutes. LARGER keeps the results, by the digest of what is compared, so
# a run that was ended continues with the others. It takes hours and is no part of `make ci`. ARGS are
# flags of .ci/pages/larger, such as `-only examples`.
LARGER ?= $(HOME)/.cache/multigrain-larger
.PHONY: larger
larger:
	go run ./.ci/pages larger -keep $(LARGER) $(ARGS)

# Every fuzz target for ten minutes. A run that is killed goes on with those that are left.
.PHONY: fuzz
fuzz:
	go run ./.ci/suites fuzz $(ARGS)

# Ten thousand faults of files, clock, limits and lives. A run that is killed goes on where it was.
# docs/how-to/torture.md says more. ARGS are flags, such as `-seed 2`.
.PHONY: torture
torture:
	go run ./.ci/torture -keep $(ARGS)

# A thousand random specifications, each compared with an oracle by all options. A run that is killed
# goes on where it was. docs/how-to/tests.md says more. ARGS are flags, such as `-seed 2`.
.PHONY: random
random:
	go run ./.ci/random -seed 1 -number 1000 $(ARGS)

# docs/results/versions.md: which version of ZooKeeper has which bug. A run that was ended continues
# with the results that KEEP has. ARGS are flags of .ci/pages/versions, such as `-only zk-4712`.
KEEP ?= $(HOME)/.cache/multigrain-versions
.PHONY: versions
versions:
	go run ./.ci/pages versions -keep $(KEEP) $(ARGS)

# The tables of docs/results/changes.md: what multigrain change says of planted mistakes, of
# refactorings, and of the commits in a clone REPO. LIBRARY is etcd or hashicorp. A run that was ended
# continues with the results that CHANGES has. ARGS are flags of .ci/pages/changes, such as `-only vote`.
CHANGES ?= $(HOME)/.cache/multigrain-changes
LIBRARY ?= etcd
.PHONY: changes-planted changes-harmless changes-real
changes-planted changes-harmless:
	go run ./.ci/pages changes -keep $(CHANGES) -library $(LIBRARY) $(ARGS) $(@:changes-%=%)
changes-real:
	go run ./.ci/pages changes -keep $(CHANGES) -library $(LIBRARY) -repo $(REPO) $(ARGS) real

# Processor seconds of `go test ./...` with a warm build cache, for each package, best of three.
# ARGS are flags of .ci/suites and packages, such as `-tests ./zab`. .ci/run prints the time of
# each of its steps.
.PHONY: measure
measure:
	go run ./.ci/suites measure $(ARGS)

# Lines for .ci/costs.txt. ARGS are packages.
.PHONY: costs
costs:
	go run ./.ci/suites measure -long $(ARGS)

# Speed compared with SPIN, stateright and TLC, on an idle machine. TLA2TOOLS, RAFTS and MSPEC_2 name
# the jar and the published specifications; what is missing is left out with the reason. ARGS are
# flags of .ci/pages/bench and a part of the name of a state space.
.PHONY: bench
bench:
	go run ./.ci/pages bench $(ARGS)

# docs/results/billion.md: a search with more than a billion states to its end, killed and continued
# once, on Linux. It takes 20 GiB of memory, 40 GiB of disk and a quarter of an hour on two idle cores.
# BILLION is a folder on the disk.
BILLION ?= $(HOME)/.cache/multigrain-billion
.PHONY: billion
billion:
	go run ./.ci/pages billion -keep $(BILLION) $(ARGS)

# Processor time from an edited action to the first state. ARGS are flags of .ci/pages/edit and a part of a manifest's name.
.PHONY: measure-edit
measure-edit:
	go run ./.ci/pages edit $(ARGS)

# Everything with real servers of ZooKeeper: bugs on all versions, walks and mutants. It takes hours.
# Without Java or the jars its parts skip, with the reason. `make zookeeper-jars` gets the jars.
.PHONY: zookeeper
zookeeper:
	.ci/run all-zookeeper

# The released jars of ZooKeeper that the tests with real servers know, in the local Maven
# repository. Nothing else in the project downloads them.
ZOOKEEPER_VERSIONS = 3.4.9 3.4.14 3.5.8 3.5.10 3.6.4 3.7.2 3.8.0 3.8.6 3.9.1 3.9.2 3.9.3 3.9.5
# Mutants change the sources of these versions, which name the annotations.
ZOOKEEPER_MUTATED = 3.8.0 3.9.5
# Invariants name lines of this version.
ZOOKEEPER_NAMED = 3.9.1
ZOOKEEPER_LIBRARIES = org.slf4j:slf4j-api:1.7.36 org.slf4j:slf4j-simple:1.7.36 \
	org.slf4j:slf4j-api:2.0.13 org.slf4j:slf4j-simple:2.0.13 \
	io.dropwizard.metrics:metrics-core:4.1.12.1 org.xerial.snappy:snappy-java:1.1.10.5 \
	commons-cli:commons-cli:1.5.0 log4j:log4j:1.2.17 org.apache.yetus:audience-annotations:0.12.0 \
	com.github.spotbugs:spotbugs-annotations:4.0.2 \
	$(foreach part,common handler buffer transport,io.netty:netty-$(part):4.1.113.Final)
# Sources of changes name these, and servers do without them; see zab/zookeeper/control/jars.go.
ZOOKEEPER_COMPILING = javax.servlet:javax.servlet-api:3.1.0 com.google.code.findbugs:jsr305:3.0.2 \
	commons-io:commons-io:2.17.0 io.netty:netty-codec:4.1.113.Final io.netty:netty-resolver:4.1.113.Final \
	$(foreach part,core annotations databind,com.fasterxml.jackson.core:jackson-$(part):2.15.2)
.PHONY: zookeeper-jars
zookeeper-jars:
	@for a in $(foreach v,$(ZOOKEEPER_VERSIONS),org.apache.zookeeper:zookeeper:$(v)) \
		$(foreach v,$(filter-out 3.4.%,$(ZOOKEEPER_VERSIONS)),org.apache.zookeeper:zookeeper-jute:$(v)) \
		$(foreach v,$(ZOOKEEPER_MUTATED) $(ZOOKEEPER_NAMED),org.apache.zookeeper:zookeeper:$(v):jar:sources) \
		$(ZOOKEEPER_LIBRARIES) $(ZOOKEEPER_COMPILING); do \
		echo $$a; mvn -q -B dependency:get -Dtransitive=false -Dartifact=$$a || exit 1; done

# configs/zab/changes/zookeeper.tsv: the methods of ZooKeeper, with their lines and calls, in each
# version that the specification knows. ZOOKEEPER names a clone, whose checked-out commit is the
# version master. It is compiled there.
ZOOKEEPER_TABLE = 3.4.14 3.5.10 3.6.4 3.7.0 3.7.2 3.8.0 3.8.6 3.9.1 3.9.2 3.9.3 3.9.5
.PHONY: zookeeper-methods
zookeeper-methods:
	@test -n "$(ZOOKEEPER)" || { echo "name a clone of ZooKeeper: make zookeeper-methods ZOOKEEPER=DIR" >&2; exit 2; }
	@for v in $(ZOOKEEPER_TABLE); do for kind in "" :jar:sources; do \
		echo org.apache.zookeeper:zookeeper:$$v$$kind; \
		mvn -q -B dependency:get -Dtransitive=false -Dartifact=org.apache.zookeeper:zookeeper:$$v$$kind || exit 1; done; done
	cd $(ZOOKEEPER) && mvn -q -B -DskipTests -Dcheckstyle.skip -Dspotbugs.skip -pl zookeeper-server -am compile
	go test -count=1 -timeout 1h ./zab/zookeeper/internal/methods -run '^TestWrite$$' -table -master "$$(cd $(ZOOKEEPER) && pwd)"

# Commands for six systems in RELEASE, with SHA256SUMS and the modules in them as SPDX documents.
# Two runs of one tree write the same bytes. VERSION names the files.
RELEASE ?= dist
VERSION ?= v0.0.0
.PHONY: release
release:
	go run ./cmd/release -version $(VERSION) -to $(RELEASE) $(ARGS)

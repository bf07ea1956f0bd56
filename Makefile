# What must hold before a change lands, in at most fifteen minutes on two idle cores.
# docs/how-to/tests.md says how samples work.
.PHONY: ci
ci:
	.ci/run

# The same with every long test and every manifest whole. It takes hours.
.PHONY: long
long:
	.ci/run --long

# Every fuzz target for ten minutes. A run that is killed goes on with those that are left.
.PHONY: fuzz
fuzz:
	go run ./.ci/suites fuzz $(ARGS)

# Ten thousand faults of files, clock, limits and lives. A run that is killed goes on where it was.
# docs/how-to/torture.md says more. ARGS are flags, such as `-seed 2`.
.PHONY: torture
torture:
	go run ./.ci/torture -keep $(ARGS)

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

# Speed beside TLC, on an idle machine. TLA2TOOLS, RAFTS and MSPEC_2 name the jar and the published
# specifications; ARGS are flags of cmd/bench-tlc and a part of the name of a state space.
.PHONY: bench-tlc
bench-tlc:
	go run ./cmd/bench-tlc $(ARGS)

# Processor time from an edited action to the first state. ARGS are flags of cmd/measure-edit and a part of a manifest's name.
.PHONY: measure-edit
measure-edit:
	go run ./cmd/measure-edit $(ARGS)

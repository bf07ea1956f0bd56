# What must hold before a change lands, in at most fifteen minutes on two idle cores.
# docs/how-to/tests.md says how samples work.
.PHONY: ci
ci:
	.ci/run

# The same with every long test and every manifest whole. It takes hours.
.PHONY: long
long:
	.ci/run --long

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

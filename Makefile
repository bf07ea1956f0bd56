# Speed beside TLC, on an idle machine. TLA2TOOLS, RAFTS and MSPEC_2 name the jar and the published specifications; ARGS are
# flags of cmd/bench-tlc and a part of the name of a state space.
.PHONY: bench-tlc
bench-tlc:
	go run ./cmd/bench-tlc $(ARGS)

# Processor time from an edited action to the first state. ARGS are flags of cmd/measure-edit and a part of a manifest's name.
.PHONY: measure-edit
measure-edit:
	go run ./cmd/measure-edit $(ARGS)

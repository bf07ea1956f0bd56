package verdicts

import "slices"

const undecidedMeans = "a limit, a timeout or an interrupt came first"

// Table has the rows of all verbs, in the order in which help lists the verbs.
var Table = slices.Concat(
	[]Row{
		{Verb: "validate", Word: Valid, Exit: ExitOK, Tone: Open, Head: "", Tail: "{path} is valid: {modules} modules of system {system}{warnings}.",
			JSON: `"valid": true`, JUnit: NoForm, SARIF: "no result", Means: "the manifest fits the catalog",
			Free: "a manifest that cannot be read, or that names no system or no module, is an error"},
		{Verb: "validate", Word: Invalid, Exit: ExitInvalid, Tone: Bad,
			JSON: `"valid": false`, JUnit: NoForm, SARIF: "level error, for each diagnostic", Means: "the errors say why"},
	},
	interactionRows,
	explorationRows("check", " within the bounds of the manifest, all states explored"),
	simulateRows,
	compareRows,
	rankRows,
	planRows,
	refineRows,
	[]Row{
		{Verb: "test", Word: AsExpected, Exit: ExitOK, Tone: Good, Head: "ok", JSON: `"tests[].ok": true`, JUnit: Pass, SARIF: NoForm,
			Means: "every manifest has the result of its expect block", Needs: []Need{needTest}},
		{Verb: "test", Word: Differs, Exit: ExitDiffers, Tone: Bad, Head: "FAIL", JSON: `"tests[].ok": false`, JUnit: Failure, SARIF: NoForm,
			Means: "a manifest has another result; one that is undecided is an error in JUnit"},
		{Verb: "test", Word: Undecided, Exit: ExitUndecided, Tone: Open, Head: "", Tail: "Interrupted: not all manifests were checked.",
			JSON: `"interrupted": true`, JUnit: Error, SARIF: NoForm, Means: "an interrupt came first"},
	},
	[]Row{
		{Verb: "run", Word: AsExpected, Exit: ExitOK, Tone: Good, Head: "ok", JSON: `"fleet.ended[].outcome": "as expected"`, JUnit: Pass, SARIF: NoForm,
			Means: "every job ended as its manifest expects", Needs: []Need{needJob}},
		{Verb: "run", Word: Differs, Exit: ExitDiffers, Tone: Bad, Head: "differs", JSON: `"fleet.ended[].outcome": "differs"`, JUnit: Failure, SARIF: NoForm,
			Means: "a job has another result"},
		{Verb: "run", Word: Undecided, Exit: ExitUndecided, Tone: Open, Head: "undecided", JSON: `"fleet.ended[].outcome": "undecided"`, JUnit: Error, SARIF: NoForm,
			Means: "a job is undecided or lost, or an interrupt came first"},
	},
	done("-status says how far runs are, and judges nothing", "run"),
	done("it does jobs, whose results the verb run gathers", "worker"),
	changeRows,
	conformRows("conform"),
	done("-setup makes what a driver requires and judges nothing", "conform"),
	conformRows("replay"),
	retracedRows,
	confirmRows,
	done("it judges the driver's protocol and no behaviour; a mistake is an error", "driver-check"),
	traceRows,
	monitorRows,
	done("a trace that cannot be read is an error, and nothing is judged", "show"),
	[]Row{
		{Verb: "diff", Word: Same, Exit: ExitOK, Tone: Good, Head: "same", Tail: ": {a} and {b} differ in times alone, if at all",
			JSON: `"diff.verdict": "same"`, JUnit: NoForm, SARIF: NoForm, Means: "verdict, settings, counts, coverage and messages are equal", Free: "both documents were read, and a result with nothing in it is compared, too"},
		{Verb: "diff", Word: Differs, Exit: ExitDiffers, Tone: Open, Head: "differs", Tail: ": {a} and {b}",
			JSON: `"diff.verdict": "differs"`, JUnit: NoForm, SARIF: NoForm, Means: "the results differ in more than times"},
	},
	done("it shows states and steps, and judges nothing", "explore"),
	done("it answers an editor and judges nothing", "lsp"),
	done("its tools run other verbs, which judge; it judges nothing itself", "mcp"),
	done("it writes files and judges nothing", "new"),
	done("it prints catalogs and judges nothing", "list"),
	[]Row{
		{Verb: "fmt", Word: Done, Exit: ExitOK, JSON: `"files[].changed"`, JUnit: NoForm, SARIF: NoForm, Means: "the files have the canonical layout now", Needs: []Need{needFile}},
		{Verb: "fmt", Word: Differs, Exit: ExitDiffers, JSON: `"files[].changed": true`, JUnit: NoForm, SARIF: NoForm, Means: "-check, and a file would change"},
	},
	done("a program that cannot be built is an error, and nothing is judged", "build"),
	[]Row{
		{Verb: "build", Word: Undecided, Exit: ExitUndecided, JSON: `"verdict": "undecided"`, JUnit: NoForm, SARIF: NoForm, Means: "an interrupt came first"},
	},
	done("nothing is judged, and there may be nothing to remove", "clean"),
	done("it passes traffic on and judges nothing", "tap"),
	[]Row{
		{Verb: "tap", Word: Undecided, Exit: ExitUndecided, JSON: NoForm, JUnit: NoForm, SARIF: NoForm,
			Means: "an interrupt came before the tap was built; a tap that runs ends with an exit code of its own"},
	},
	done("it prints texts and judges nothing", "explain", "completion", "version", "help"),
)

// done returns rows of verbs that judge nothing. Free says why they have no minimum.
func done(free string, verbs ...string) (rows []Row) {
	for _, v := range verbs {
		rows = append(rows, Row{Verb: v, Word: Done, Exit: ExitOK, JSON: `no "verdict"`, JUnit: NoForm, SARIF: NoForm, Means: "what was asked is done", Free: free})
	}
	return rows
}

// violations returns the rows of the kinds of violations.
func violations(verb, tail string) (rows []Row) {
	for _, k := range []struct {
		which string
		exit  int
		means string
	}{
		{Deadlock, ExitDeadlock, "a state has no successors"},
		{State, ExitSafety, "a state invariant is violated"},
		{Step, ExitStep, "a step property is violated"},
		{Liveness, ExitStep, "a liveness property is violated"},
		{Assert, ExitAssert, "a code-level assertion is raised"},
	} {
		rows = append(rows, Row{Verb: verb, Word: Violated, Case: k.which, Exit: k.exit, Firm: verb != "trace" && verb != "compare", Tone: Bad, Head: "violated", Tail: tail,
			JSON: `"verdict": "violated"`, JUnit: Failure, SARIF: "level error, kind fail", Means: k.means})
	}
	return rows
}

// explorationRows returns the rows of a verb that explores all states.
func explorationRows(verb, within string) []Row {
	return slices.Concat(
		[]Row{
			{Verb: verb, Word: Holds, Exit: ExitOK, Tone: Good, Head: "holds", Tail: within,
				JSON: `"verdict": "holds"`, JUnit: Pass, SARIF: "no result", Means: "no state and no step violates a property", Needs: explored},
		},
		violations(verb, ": {names}"),
		[]Row{undecided(verb, "{reason}", `"verdict": "undecided"`, Error, "level none, kind open",
			undecidedMeans+"; less was looked at than the verdict needs; nothing was found and the level that the manifest states is stale, missing or undecided in the lock file; -allow-broken or -strict found that the result says too little; or a part of the change is not modelled")},
	)
}

// undecided returns the row of a verb that comes to no result.
func undecided(verb, tail, json, junit, sarif, means string) Row {
	return Row{Verb: verb, Word: Undecided, Exit: ExitUndecided, Tone: Open, Head: "undecided", Tail: ": " + tail,
		JSON: json, JUnit: junit, SARIF: sarif, Means: means}
}

// mutantsTail is the first line of level L3. It stands above everything else.
const mutantsTail = ": kept {kept} of {found} mutants that the fine composition finds (drawn {drawn}, equal {equal}, undecided {undecided})"

// interactionRows are those of interaction. The line is the last but one: tables stand above it.
var interactionRows = []Row{
	{Verb: "interaction", Word: Preserved, Exit: ExitOK, Tone: Good, Head: "preserved", Tail: " at level {level}",
		JSON: `"interaction.verdict": "preserved"`, JUnit: Pass, SARIF: "no result", Means: "coarse grains preserve all interactions, as far as the level says", Needs: []Need{needGrain}},
	{Verb: "interaction", Word: Preserved, Case: Behaviours, Exit: ExitOK, Tone: Good, Head: "preserved", Tail: " at level {level}",
		JSON: `"interaction.verdict": "preserved"`, JUnit: Pass, SARIF: "no result", Means: "levels L1 and L2: what is seen of both compositions is the same",
		Needs: []Need{needGrain, needViews}},
	{Verb: "interaction", Word: Preserved, Case: Mutants, Exit: ExitOK, Tone: Good, Head: "L3", Tail: mutantsTail,
		JSON: `"interaction.mutants.verdict": "preserved"`, JUnit: Pass, SARIF: "no result", Means: "level L3: the mixed composition finds all mutants that the fine one finds, and no other",
		Needs: []Need{needMutant}},
	{Verb: "interaction", Word: Broken, Case: Mutants, Exit: ExitInteraction, Tone: Bad, Head: "L3", Tail: mutantsTail,
		JSON: `"interaction.mutants.verdict": "broken"`, JUnit: Failure, SARIF: "level error, kind fail", Means: "level L3: a mutant is lost or false, or level L2 is broken"},
	{Verb: "interaction", Word: Undecided, Case: Mutants, Exit: ExitUndecided, Tone: Open, Head: "L3", Tail: mutantsTail,
		JSON: `"interaction.mutants.verdict": "undecided"`, JUnit: Error, SARIF: "level none, kind open", Means: "level L3: no mutant is lost or false so far, and some are undecided, nothing was measured, or level L2 is undecided"},
	{Verb: "interaction", Word: None, Exit: ExitOK, Tone: Open, Head: "interaction: no coarse grain is chosen",
		JSON: `"interaction.verdict": "none"`, JUnit: Pass, SARIF: "no result", Means: "there is nothing to preserve",
		Free: "the composition has no coarse grain, so every level is reached"},
	{Verb: "interaction", Word: Skipped, Exit: ExitUndecided, Tone: Open, Head: "interaction: not examined",
		JSON: `"interaction.verdict": "skipped"`, JUnit: Error, SARIF: "no result", Means: "the specification cannot be analysed; errors say why"},
	{Verb: "interaction", Word: Gap, Exit: ExitOK, Tone: Open, Head: "gap", Tail: " at level {level}",
		JSON: `"interaction.verdict": "gap"`, JUnit: Pass, SARIF: "level note, suppressed", Means: "the coarse composition lacks behaviours, and the manifest accepts that",
		Needs: []Need{needGrain, needViews}},
	{Verb: "interaction", Word: Gap, Case: Unaccepted, Exit: ExitInteraction, Tone: Open, Head: "gap", Tail: " at level {level}",
		JSON: `"interaction.verdict": "gap"`, JUnit: Failure, SARIF: "level error, kind fail", Means: "the coarse composition lacks behaviours"},
	{Verb: "interaction", Word: Broken, Exit: ExitInteraction, Tone: Bad, Head: "broken", Tail: " at level {level}",
		JSON: `"interaction.verdict": "broken"`, JUnit: Failure, SARIF: "level error, kind fail", Means: "a coarse grain loses or invents an interaction"},
	{Verb: "interaction", Word: Fresh, Exit: ExitOK, Tone: Good, Head: "fresh", Tail: ": {entries}",
		JSON: `"locks.verdict": "fresh"`, JUnit: Pass, SARIF: "no result", Means: "with -stale: each entry of the lock files is about the composition that its manifest has now", Needs: []Need{needEntry}},
	{Verb: "interaction", Word: Stale, Exit: ExitDiffers, Tone: Bad, Head: "stale", Tail: ": {stale} of {entries}",
		JSON: `"locks.verdict": "stale"`, JUnit: Failure, SARIF: "no result", Means: "with -stale: some entries are about an earlier composition"},
	undecided("interaction", "{reason}", `"verdict": "undecided"`, Error, "level none, kind open", "a limit came before the level that was asked, or nothing was compared"),
}

// simulateRows are those of simulate. A walk that finds nothing says nothing about other
// behaviours, so simulate never says holds. The exit code is 0: all walks that were asked for were
// taken.
var simulateRows = slices.Concat(
	[]Row{
		{Verb: "simulate", Word: NothingFound, Exit: ExitOK, Tone: Good, Head: "nothing found",
			Tail: " in {walks} of at most {steps}; nothing is known about other behaviours",
			JSON: `"verdict": "nothing-found"`, JUnit: NoForm, SARIF: NoForm, Means: "all walks were taken and none violates a property",
			Needs: []Need{needWalk, needStep, needJudged}},
	},
	onSteps(violations("simulate", ": {names}")),
	[]Row{undecided("simulate", "{reason}", `"verdict": "undecided"`, NoForm, NoForm, undecidedMeans+"; less was looked at than the verdict needs; or -allow-broken and nothing is found")},
)

// onSteps returns the violations that single behaviours can show: no liveness.
func onSteps(rows []Row) []Row {
	return withoutForms(slices.DeleteFunc(rows, func(r Row) bool { return r.Case == Liveness }))
}

// withoutForms returns rows of a verb that writes neither JUnit nor SARIF.
func withoutForms(rows []Row) []Row {
	for k := range rows {
		rows[k].JUnit, rows[k].SARIF = NoForm, NoForm
	}
	return rows
}

// changeRows are those of change. It never says holds: code that did not run is not known to be
// right, and walks say nothing about behaviours that they did not take.
var changeRows = slices.Concat(
	[]Row{
		{Verb: "change", Word: Behaves, Exit: ExitOK, Tone: Good, Head: "behaves as the specification",
			Tail: ": {walks}, {places}; nothing is known of other behaviours and of what the adapter does not observe{checked}",
			JSON: `"change.observed.verdict": "behaves"`, JUnit: Pass, SARIF: "no result",
			Means: "walks showed no difference, all changed lines ran, all operands of changed conditions were true and false, and all actions of touched modules were taken",
			Needs: []Need{needChanged, needDone, needRan}},
		{Verb: "change", Word: Behaves, Case: Accepted, Exit: ExitOK, Tone: Open, Head: "behaves as the specification",
			Tail: "; accepted: {accepted}; {walks}; nothing is known of other behaviours and of what the adapter does not observe{checked}",
			JSON: `"change.observed.accepted"`, JUnit: Pass, SARIF: "level note, suppressed, for what did not run",
			Means: "-accept-uncovered, and walks showed no difference: some changed lines did not run, or operands of changed conditions were not both true and false",
			Needs: []Need{needChanged, needDone, needRan}},
		{Verb: "change", Word: Verified, Exit: ExitOK, Tone: Good, Head: "behaves as the specification",
			Tail: ", which holds: {walks}, {places}; nothing is known of other behaviours and of what the adapter does not observe{checked}",
			JSON: `"change.observed.verdict": "verified"`, JUnit: Pass, SARIF: "no result",
			Means: "as behaves, and the composition for the change was checked: all its states were explored",
			Needs: []Need{needChanged, needDone, needRan}},
		{Verb: "change", Word: Done, Exit: ExitOK, Tone: Open, JSON: `no "verdict"`, JUnit: Pass, SARIF: "no result",
			Means: "nothing that changed is modelled, or leads to what is", Needs: []Need{needChanged}},
	},
	violations("change", ": {names}"),
	[]Row{
		{Verb: "change", Word: Violated, Case: Panic, Exit: ExitAssert, Firm: true, Tone: Bad, Head: "violated", Tail: ": {names}",
			JSON: `"change.observed.verdict": "violated"`, JUnit: Failure, SARIF: "level error, kind fail", Means: "the changed code panics after it departed from the specification"},
		{Verb: "change", Word: Differs, Exit: ExitMismatch, Firm: true, Tone: Bad, Head: "behaves differently", Tail: ": {difference}",
			JSON: `"change.observed.verdict": "differs"`, JUnit: Failure, SARIF: "level error, kind fail",
			Means: "the changed code departs from the specification, and the code before the change does not"},
		undecided("change", "{reason}", `"verdict": "undecided"`, Error, "level none, kind open",
			undecidedMeans+"; the changed code was not run, with -n or without an adapter; or walks did not show all of the change"),
	},
)

// conformRows returns the rows of a verb that compares an implementation with its specification.
// The words in JSON are older than the words of the text.
func conformRows(verb string) []Row {
	return []Row{
		{Verb: verb, Word: Holds, Exit: ExitOK, Tone: Good, Head: "conforms",
			Tail: ": {what} does what the specification does on {walks}; nothing is known of other behaviours",
			JSON: `"conform.verdict": "holds"`, JUnit: NoForm, SARIF: NoForm, Means: "all walks were done, and all states are the same up to known differences",
			Needs: []Need{needDone}},
		{Verb: verb, Word: Violated, Exit: ExitMismatch, Firm: true, Tone: Bad, Head: "differs",
			Tail: ": {what} differs from the specification: {differences} on {walks}",
			JSON: `"conform.verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: "after some step a variable has another value, or the implementation panics or ends its process"},
		undecided(verb, "{reason}; no difference of {what} on {walks}", `"conform.verdict": "undecided"`, NoForm, NoForm, undecidedMeans+", or no step was compared"),
	}
}

// retracedRows are those of replay for a trace that violates a property, and that is judged on the
// implementation: one of a change, or any with -judge.
var retracedRows = func() (rows []Row) {
	for _, k := range []struct {
		which string
		exit  int
		means string
	}{
		{State, ExitSafety, "the changed code of a trace, or with -judge the implementation, violates a state invariant again"},
		{Step, ExitStep, "the changed code of a trace, or with -judge the implementation, violates a step property again"},
		{Assert, ExitAssert, "the changed code of a trace raises a code-level assertion again"},
		{Panic, ExitAssert, "the changed code of a trace panics again"},
	} {
		rows = append(rows, Row{Verb: "replay", Word: Violated, Case: k.which, Exit: k.exit, Firm: true, Tone: Bad, Head: "violated",
			Tail: ": {names}; {what} {how}, and the trace ends in the violation",
			JSON: `"conform.verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: k.means})
	}
	return append(rows, Row{Verb: "replay", Word: Holds, Case: Judged, Exit: ExitOK, Tone: Good, Head: "not violated",
		Tail: ": {judged}; {what} {how}; nothing is known of other behaviours",
		JSON: `"conform.verdict": "holds"`, JUnit: NoForm, SARIF: NoForm, Means: "-judge: the implementation does not violate the property on the trace", Needs: []Need{needDone}})
}()

// confirmRows are those of confirm. That a specification holds confirms nothing about its
// implementation, so holds says that nothing was driven.
var confirmRows = []Row{
	{Verb: "confirm", Word: Confirmed, Exit: ExitSafety, Firm: true, Tone: Bad, Head: "confirmed",
		Tail: ": {what} shows the symptoms of the violation of {property} in {shown} of {runs}",
		JSON: `"confirm.verdict": "confirmed"`, JUnit: NoForm, SARIF: NoForm,
		Means: "the counterexample was driven to its end on the implementation, and its symptoms were observed there"},
	{Verb: "confirm", Word: Departs, Exit: ExitMismatch, Firm: true, Tone: Bad, Head: "departs",
		Tail: ": {what} departs from the counterexample {reason}",
		JSON: `"confirm.verdict": "departs"`, JUnit: NoForm, SARIF: NoForm, Means: "the implementation departs from the counterexample, as a version with the fix does"},
	undecided("confirm", "{reason}", `"confirm.verdict": "undecided"`, NoForm, NoForm,
		"the counterexample was not driven to its end, or a symptom was not observed, or the control shows it, too; or the search explored less than the verb check needs"),
	{Verb: "confirm", Word: Holds, Exit: ExitOK, Tone: Open, Head: "holds",
		Tail: ": the specification of {what} has no violation within the bounds; nothing was driven",
		JSON: `"confirm.verdict": "holds"`, JUnit: NoForm, SARIF: NoForm, Means: "no counterexample was found, so nothing is known of the implementation",
		Needs: explored},
}

// traceRows are those of trace.
var traceRows = slices.Concat(
	[]Row{
		{Verb: "trace", Word: Holds, Exit: ExitOK, Tone: Good, Head: "holds", Tail: ": {events} matched by {steps}",
			JSON: `"verdict": "holds"`, JUnit: NoForm, SARIF: NoForm, Means: "some behaviour matches all events", Needs: []Need{needEvent}},
		{Verb: "trace", Word: Violated, Exit: ExitMismatch, Tone: Bad, Head: "violated", Tail: ": {reason}",
			JSON: `"verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: "no behaviour matches all events"},
	},
	onSteps(violations("trace", ": the log matches and breaks {names}")),
	[]Row{undecided("trace", "{reason}", `"verdict": "undecided"`, NoForm, NoForm,
		undecidedMeans+"; or the log has no events, or none that stands for an action; or a log ends within a line")},
)

// monitorRows are those of monitor.
var monitorRows = []Row{
	{Verb: "monitor", Word: Holds, Exit: ExitOK, Tone: Good, Head: "holds", Tail: ": every message of node {node} is explained",
		JSON: `"monitor.verdict": "holds"`, JUnit: NoForm, SARIF: NoForm, Means: "the node sent a message, and all its messages are explained",
		Needs: []Need{needMessage}},
	{Verb: "monitor", Word: Violated, Exit: ExitMismatch, Firm: true, Tone: Bad, Head: "alarm", Tail: ": node {node} must not have sent to {peer}",
		JSON: `"monitor.verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: "no order of steps explains a message"},
	{Verb: "monitor", Word: Violated, Case: Forgotten, Exit: ExitMismatch, Firm: true, Tone: Bad, Head: "alarm",
		Tail: ": node {node} restarts without what it has sent to {peer}",
		JSON: `"monitor.verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: "a restart contradicts what the node sent before it"},
	{Verb: "monitor", Word: Done, Exit: ExitOK, Tone: Open, JSON: `no "verdict"`, JUnit: NoForm, SARIF: NoForm,
		Means: "the composition next to a node is explained, and no stream is read",
		Free:  "nothing is judged"},
	{Verb: "monitor", Word: NothingFound, Case: Selftest, Exit: ExitOK, Tone: Good, Head: "nothing found",
		Tail: ": on {behaviours} the runtime is right; nothing is known of other behaviours",
		JSON: `"selftest.verdict": "nothing-found"`, JUnit: NoForm, SARIF: NoForm, Means: "-selftest: no false alarm, no mutant without an alarm that has no legal behaviour, and no broken law",
		Needs: []Need{needBehaviour, needMessage}},
	{Verb: "monitor", Word: Violated, Case: Selftest, Exit: ExitMismatch, Firm: true, Tone: Bad, Head: "fails", Tail: ": the runtime is wrong on {failures}",
		JSON: `"selftest.verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: "-selftest: a false alarm, or a mutant without an alarm and without a legal behaviour"},
	{Verb: "monitor", Word: Undecided, Case: Selftest, Exit: ExitUndecided, Tone: Open, Head: "undecided", Tail: ": {reason}",
		JSON: `"selftest.verdict": "undecided"`, JUnit: NoForm, SARIF: NoForm, Means: "-selftest: an interrupt came first, or no message was sent"},
	undecided("monitor", "{reason}", `"monitor.verdict": "undecided"`, NoForm, NoForm,
		"no outgoing message was judged, the tap lost something, the stream ends within a line or does not show what a message depends on, or a limit or an interrupt came first"),
}

// compareRows are those of compare: the exit code is that of an error, or else that of the first
// violation, or else that of an undecided composition.
var compareRows = func() []Row {
	rows := slices.Concat(
		[]Row{{Word: Holds, Exit: ExitOK, Tone: Good, Head: "holds", Means: "every composition holds",
			Needs: []Need{needCompared}}},
		violations("compare", ""),
		[]Row{{Word: Undecided, Exit: ExitUndecided, Tone: Open, Head: "undecided", Tail: ": {reason}",
			Means: "one composition is undecided or was not started, and none is violated; each needs what check needs"}})
	for k := range withoutForms(rows) {
		rows[k].Verb, rows[k].JSON = "compare", `"compared[].result.verdict": "`+rows[k].Word+`"`
	}
	return rows
}()

// planRows are those of plan. It predicts, and judges no property.
var planRows = []Row{
	{Verb: "plan", Word: Planned, Exit: ExitOK, Tone: Open, Head: "planned",
		Tail: ": {grains}, about {states} in {time}; a prediction, and nothing about its properties",
		JSON: `"plan.verdict": "planned"`, JUnit: NoForm, SARIF: NoForm, Means: "a composition is expected to be explored whole within the budget",
		Needs: []Need{needInitial}},
	undecided("plan", "{reason}", `"plan.verdict": "undecided"`, NoForm, NoForm, "no composition that is allowed is expected to end within the budget, or an interrupt came first"),
}

// refineRows are those of refine.
var refineRows = []Row{
	{Verb: "refine", Word: Holds, Exit: ExitOK, Tone: Good, Head: "refines",
		Tail: " {abstract} within the bounds of the manifest, all states explored; liveness is not compared",
		JSON: `"refinement.verdict": "holds"`, JUnit: NoForm, SARIF: NoForm, Means: "all that is observed of the concrete composition is possible in the abstract one",
		Needs: []Need{needInitial, needObserved}},
	{Verb: "refine", Word: Violated, Exit: ExitSafety, Firm: true, Tone: Bad, Head: "does not refine",
		Tail: " {abstract}: it has a step that the abstract composition cannot match",
		JSON: `"refinement.verdict": "violated"`, JUnit: NoForm, SARIF: NoForm, Means: "something is observed of the concrete composition that is impossible in the abstract one"},
	undecided("refine", "{reason}", `"refinement.verdict": "undecided"`, NoForm, NoForm, "a limit, a timeout or an interrupt came first; a bound of the abstract composition may be what stops it; or the mapping or the abstract composition says too little"),
}

// rankRows are those of rank. An order judges no composition, so the tone is neither good nor bad.
var rankRows = []Row{
	{Verb: "rank", Word: Ranked, Exit: ExitOK, Tone: Open, Head: "ranked",
		Tail: ": {configurations} by {walks}; an order in which to search, and nothing about their properties",
		JSON: `"ranking.verdict": "ranked"`, JUnit: NoForm, SARIF: NoForm, Means: "the walks that were asked for were taken in every configuration",
		Needs: []Need{needConfiguration, needRankedStep}},
	undecided("rank", "{reason}", `"ranking.verdict": "undecided"`, NoForm, NoForm, "a timeout or an interrupt came before the walks that were asked for, or no walk took a step"),
}

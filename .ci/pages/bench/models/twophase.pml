/* Two-phase commit with {{.N}} resource managers, as in package configs/examples/twophase. The network
   keeps every message: each is a variable. One process takes all steps, each as one option, so
   states are those between two steps.

   phase: 0 working, 1 prepared, 2 committed, 3 aborted. decision: 0 none, 1 commit, 2 abort. */

byte phase[{{.N}}];
byte decision;
short known;          /* the resource managers that the manager knows to have prepared */
short prepared;       /* messages: who has sent that it has prepared */
bit commits, aborts;  /* messages of the manager */

#define ANY(v) (false{{range .RMs}} || phase[{{.I}}] == v{{end}})

active proctype system() {
	do
	:: d_step { ANY(2) && ANY(3) -> assert(false) }
	:: d_step { decision == 0 && known == {{.All}} -> decision = 1; commits = 1 }
	:: d_step { decision == 0 -> decision = 2; aborts = 1 }
{{- range .RMs}}
	:: d_step { phase[{{.I}}] == 0 -> phase[{{.I}}] = 1; prepared = prepared | {{.Bit}} }
	:: d_step { phase[{{.I}}] == 0 -> phase[{{.I}}] = 3 }
	:: d_step { commits -> phase[{{.I}}] = 2 }
	:: d_step { aborts -> phase[{{.I}}] = 3 }
	:: d_step { decision == 0 && (prepared & {{.Bit}}) -> known = known | {{.Bit}} }
{{- end}}
	od
}

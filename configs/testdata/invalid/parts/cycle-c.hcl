extends = "./cycle-a.hcl" # ERROR: MG011 parts/cycle-a.hcl -> testdata/invalid/parts/cycle-b.hcl -> testdata/invalid/parts/cycle-c.hcl -> testdata/invalid/parts/cycle-a.hcl

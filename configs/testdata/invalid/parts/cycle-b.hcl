extends = "../parts/cycle-c.hcl"

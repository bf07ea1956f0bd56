extends = "parts/sysspce.hcl" # ERROR: MG001 Did you mean "testdata/invalid/parts/sysspec.hcl"?

extends = "parts/latin1.hcl" # ERROR: MG003 Its text is not shown

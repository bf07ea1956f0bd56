extends = "parts/sysspec.hcl"

system "raft" { # ERROR: MG008 system "zab" is declared already
  source = "../raft"
}

bounds {
  crashes = var.crashes
  retries = local.retry # ERROR: MG014 No local value "retry" is declared in this manifest or one that it extends. The only one is "retries".
}

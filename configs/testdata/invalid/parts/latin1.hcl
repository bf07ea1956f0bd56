system "zab" {
  source = "../zab"
}

module "élection" { # ERROR: MG002 The byte 0xe9 is not part of any UTF-8 character
}

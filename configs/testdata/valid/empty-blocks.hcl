system "lock" {
  source = "."
}

bounds {}
options {}
check {}
interaction {}
simulate {}
expect {}
locals {}

system "toy" {
  source = "../toys" # ERROR: MG302 is not a folder
}

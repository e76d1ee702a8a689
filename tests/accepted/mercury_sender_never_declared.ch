machine Watch
safety [one] atmost(1, {Guard})
variables
  int[1,3] word := 1
  set seen
  int[0,N] heard
actions
  br announce : int[1,3]
  rz answer : int[1,3]
  env rz suggest : int[1,3]
  env rz report : unit
  env br dawn : unit
initial location Camp
  on PartitionCons<choose>(All, 1)
    win: goto Guard
    lose: goto Sleep
location Guard
  on recv(suggest) do word = suggest.payld
  on ValueCons<settle>(choose.winS, 1, word) do
    word = settle.decVar[1]
    sendbr(announce[word])
    goto Tell
location Tell
  on recv(answer) do
    heard = heard + 1
    seen.add(answer.sID)
    if (heard = N - 1) goto Done
  on _ do sendrz(report)
location Sleep
  on recv(announce) reply answer[1]
  passive settle
location Done
  on recv(dawn) do
    seen = Empty
    heard = 0
    goto Camp

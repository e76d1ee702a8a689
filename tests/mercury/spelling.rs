//! Both spellings, and every layout, mean the same protocol.

use rmlcut::certificate::digest;

use super::protocol;

const PAPER: &str = "
process Watch
safety [two] atmost(2, {Guard})
variables
  int[1,2] word := 1
  idSet seen
actions
  br announce : int[1,2]
  rz answer : int[1,2]
  env
    rz suggest : int[1,2]
    br dawn : unit
initial location Camp
  on Partition<choose>(All, 2)
    win: goto Guard
    lose: goto Sleep
location Guard
  on recv(suggest) where (suggest.payload != word) do word := suggest.payld
  on Consensus<settle>(choose.winS, 1, word) do
    word := settle.decVar[1]
    sendbr(announce[word])
    goto Done
location Sleep
  on recv(announce) reply answer[1]
  passive settle
location Done
  on recv(answer) do seen.add(answer.sID)
  on recv(dawn) do
    seen := Empty
    goto Camp
";

const ARTIFACT: &str = "
machine Watch /* the same */ satisfies safety [two] atmost(2,{Guard})
variables int[1,2] word := 1; set seen;
actions br announce:int[1,2]; rz answer:int[1,2]; env rz suggest:int[1,2]; env br dawn:unit;
initial location Camp on PartitionCons<choose>(All,2) win: { } goto Guard; lose: goto Sleep;
location Guard
  on recv(suggest) where (suggest.payld != word) do word = suggest.payld;
  // decided
  on ValueCons<settle>(choose.winS, 1, word) do word = settle.desVal; broadcast(announce[word]); goto Done;
location Sleep on recv(announce) do rend(answer, 1, announce.sID); passive settle
location Done on recv(answer) do seen.add(answer.sID); on recv(dawn) do seen = Empty; goto Camp;
";

#[test]
fn both_spellings_have_one_digest() {
    let artifact = ARTIFACT.replace("{ } ", "");
    let (paper, artifact) = (protocol("a.mer", PAPER), protocol("b.ch", &artifact));
    assert_eq!(digest(&paper), digest(&artifact));
}

#[test]
fn layout_and_comments_mean_nothing() {
    let squeezed =
        PAPER.replace("  env\n    rz", "  env rz").replace("    br dawn", "  env br dawn");
    let squeezed = squeezed.replace('\n', " /* end of line */ ");
    assert_eq!(digest(&protocol("a.mer", PAPER)), digest(&protocol("b.mer", &squeezed)));
    let other = PAPER.replace("(All, 2)", "(All, 1)");
    assert_ne!(digest(&protocol("a.mer", PAPER)), digest(&protocol("c.mer", &other)));
}

//! Random processes: broadcasts, rendezvous, partitions, consensus, sets, with and without crashes.

use std::fmt::Write as _;

/// A generator of numbers, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        let index = self.below(all.len() as u64);
        all[usize::try_from(index).unwrap_or(0)]
    }
}

const PLACES: [&str; 3] = ["A", "B", "C"];

/// A process as text.
pub(crate) fn process(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5555);
    let mut text = String::from(
        "process Random\nsafety atmost(1, {C})\nvariables\n  int[1,2] x := 1\n  idSet s\nactions\n  \
         br shout : int[1,2]\n  rz whisper : unit\n  env rz poke : int[1,2]\n  env br bell : unit\n",
    );
    if dice.below(4) == 0 {
        text += "crash none\n";
    }
    for (index, place) in PLACES.iter().enumerate() {
        let initial = if index == 0 { "initial " } else { "" };
        let _ = writeln!(text, "{initial}location {place}");
        let mut passive = vec!["shout", "bell"];
        if dice.below(3) == 0 {
            text += &agreement(&mut dice);
        }
        for _ in 0..=dice.below(3) {
            text += &handler(&mut dice);
        }
        passive.retain(|_| dice.below(3) > 0);
        if !passive.is_empty() {
            let _ = writeln!(text, "  passive {}", passive.join(", "));
        }
    }
    // What must be there for the text to be right.
    text + "location D\n  on recv(whisper) do goto A\n"
}

fn agreement(dice: &mut Dice) -> String {
    let (win, lose) = (steps(dice, ""), steps(dice, ""));
    match dice.below(4) {
        0 => format!("  on Partition<elect>(All, 1)\n    win:{win}\n    lose:{lose}\n"),
        1 => format!("  on Partition<meet>(s, 2)\n    win:{win}\n    lose:{lose}\n"),
        2 => format!("  on Consensus<settle>(All, 1, x) do x := settle.decVar[1]{win}\n"),
        _ => format!("  on Partition<elect>(All, 1)\n    win: s.add(self){win}\n    lose:{lose}\n"),
    }
}

fn handler(dice: &mut Dice) -> String {
    let body = steps(dice, "");
    match dice.below(7) {
        0 => format!("  on _ do{}\n", if body.is_empty() { " goto B" } else { &body }),
        1 => format!("  on _ do sendbr(shout[x]){body}\n"),
        2 => format!("  on _ do sendrz(whisper){body}\n"),
        3 => format!("  on recv(shout) do x := shout.payld{}\n", steps(dice, "shout")),
        4 => format!("  on recv(whisper) do s.add(whisper.sID){body}\n"),
        5 => format!("  on recv(poke) where (poke.payld != x) do x := poke.payld{body}\n"),
        _ => format!("  on recv(bell) do s := Empty{body}\n"),
    }
}

/// Some statements, ending in `goto` or not.
fn steps(dice: &mut Dice, received: &str) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(3) {
        text += match dice.below(7) {
            0 => " x := 3 - x",
            1 => " s.add(self)",
            2 => " if (x = 1) goto C else s.remove(self)",
            3 if received == "shout" => " s.add(shout.sID)",
            3 => " if (self in s) goto B",
            4 => " sendrz(whisper)",
            5 if received == "shout" => " sendrz(whisper, shout.sID)",
            5 => " s.removeAll(s)",
            _ => " if (s = Empty) x := 2",
        };
    }
    if dice.below(3) > 0 {
        text += " goto ";
        text += dice.pick(&PLACES);
    }
    text
}

/// A process with a written environment, as text: both ask, answer and count.
pub(crate) fn with_environment(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x3333);
    let mut text = String::from(
        "process Random\nsafety atmost(1, {C})\nvariables\n  int[1,2] x := 1\nactions\n  \
         br shout : int[1,2]\n  env rz poke : int[1,2]\n  env rz ask : int[1,2]\n  env br bell : int[1,2]\n",
    );
    text += ["", "crash none\n", "crash locations : A, C;\n"]
        [usize::try_from(dice.below(3)).unwrap_or(0)];
    for (index, place) in PLACES.iter().enumerate() {
        let initial = if index == 0 { "initial " } else { "" };
        let _ = writeln!(text, "{initial}location {place}");
        for _ in 0..=dice.below(3) {
            let body = environment_steps(&mut dice, "x", "sendrz(ask[x])");
            text += &match dice.below(6) {
                0 => format!("  on _ do{body} goto B\n"),
                1 => format!("  on _ do sendrz(ask[x]){body}\n"),
                2 => format!("  on recv(poke) where (poke.payld != x) do x := poke.payld{body}\n"),
                3 => format!("  on recv(bell) do x := bell.payld{body}\n"),
                4 => format!("  on _ do sendbr(shout[x]){body}\n"),
                _ => format!("  on recv(shout) do{body} goto A\n"),
            };
        }
        if dice.below(3) > 0 {
            text += "  passive shout, bell\n";
        }
    }
    text += "environment World\nvariables\n  int[0,2] y := 1\n  int[1,2] z\n";
    for (index, place) in PLACES.iter().enumerate() {
        let initial = if index == 0 { "initial " } else { "" };
        let _ = writeln!(text, "{initial}location {place}");
        for _ in 0..=dice.below(3) {
            let body = environment_steps(&mut dice, "y", "sendrz(poke[z])");
            text += &match dice.below(5) {
                0 => format!("  on _ do{body} goto B\n"),
                1 => format!("  on _ where (y > 0) do sendrz(poke[z]){body}\n"),
                2 => format!("  on recv(ask) do z := ask.payld{body}\n"),
                3 => format!("  on recv(ask) where (ask.payld = z) do{body} goto C\n"),
                _ => format!("  on _ do sendbr(bell[z]){body}\n"),
            };
        }
    }
    text
}

fn environment_steps(dice: &mut Dice, variable: &str, send: &str) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(3) {
        text += &match dice.below(4) {
            0 => format!(" {variable} := {variable} + 1"),
            1 => format!(" if ({variable} = 2) goto C else {variable} := 2"),
            2 => format!(" {send}"),
            _ => format!(" {variable} := 1"),
        };
    }
    if dice.below(3) > 0 {
        text += " goto ";
        text += dice.pick(&PLACES);
    }
    text
}

/// A process whose variables have values of one or two unbounded domains, as text.
pub(super) fn with_data(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x7777);
    let mut text = String::from(
        "process Random\nsafety agree({C}, x)\nvariables\n  int x\n  int y\n  int z\n  idSet s\nactions\n  \
         br shout : int\n  rz whisper : int\n  env rz poke : int\n  env rz other : int\n  env br bell : int\n",
    );
    if dice.below(4) > 0 {
        text += "crash none\n";
    }
    for (index, place) in PLACES.iter().enumerate() {
        let initial = if index == 0 { "initial " } else { "" };
        let _ = writeln!(text, "{initial}location {place}");
        if dice.below(2) == 0 {
            text += &data_agreement(&mut dice);
        }
        for _ in 0..=dice.below(3) {
            text += &data_handler(&mut dice);
        }
        if dice.below(2) == 0 {
            text += "  passive shout, bell\n";
        }
    }
    // What must be there for the text to be right: a proposer.
    text + "location D\n  on recv(whisper) do goto A\n  on Consensus<both>(All, 2, x) do goto A\n"
}

fn data_agreement(dice: &mut Dice) -> String {
    let body = data_steps(dice);
    match dice.below(4) {
        0 => format!("  on Consensus<settle>(All, 1, x) do x := settle.decVar[1]{body}\n"),
        1 => format!(
            "  on Consensus<both>(All, 2, y) do x := both.decVar[1] y := both.decVar[2]{body}\n"
        ),
        2 => format!("  on Consensus<both>(All, 2, _) do y := both.decVar[2]{body}\n"),
        _ => format!("  on Partition<elect>(All, 1)\n    win:{body}\n    lose: z := default(z)\n"),
    }
}

fn data_handler(dice: &mut Dice) -> String {
    let body = data_steps(dice);
    match dice.below(9) {
        0 => format!("  on _ where (x != y) do{body} goto B\n"),
        1 => format!("  on _ do sendbr(shout[x]){body}\n"),
        2 => format!("  on _ do y := x sendrz(whisper[y]){body}\n"),
        3 => format!("  on recv(shout) where (shout.payld != x) do y := shout.payld{body}\n"),
        4 => {
            format!("  on recv(whisper) do x := whisper.payld{body} sendbr(shout[whisper.payld])\n")
        }
        5 => format!("  on recv(poke) do x := poke.payld{body}\n"),
        6 => {
            format!("  on recv(other) do if (other.payld = z) goto C else z := other.payld{body}\n")
        }
        7 => format!("  on recv(bell) where (bell.payld = y) do x := bell.payld{body}\n"),
        _ => format!("  on recv(shout) do if (x = y) x := shout.payld{body}\n"),
    }
}

/// Some statements about data, ending in `goto` or not.
fn data_steps(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(3) {
        text += match dice.below(6) {
            0 => " x := y",
            1 => " y := default(x)",
            2 => " if (x = y) goto C else y := x",
            3 => " if (self in s) y := x else s.add(self)",
            4 => " sendbr(shout[y])",
            _ => " z := default(z)",
        };
    }
    if dice.below(3) > 0 {
        text += " goto ";
        text += dice.pick(&PLACES);
    }
    text
}

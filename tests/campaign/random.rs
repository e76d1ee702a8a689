//! Random protocols through every law.

use std::time::Duration;

use rmlcut::certificate::{Certificate, print_certificate};
use rmlcut::frontend;
use rmlcut::pipeline::{Formatted, Origin, format, read_certificate, read_protocol};
use rmlcut::protocol::{Protocol, Size, print_protocol};
use rmlcut::prove::Prefer;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use crate::agreement::dice::Dice;
use crate::campaign::engines::engines_agree;
use crate::campaign::semantics::meanings_agree;
use crate::campaign::solvers::{second_solver, solvers_agree};
use crate::campaign::tally::Tally;
use crate::campaign::truth::{self, Limits, Truth, ladder};
use crate::campaign::verdicts::{Said, checked, synthesized};
use crate::campaign::{generate, is_quantified, setting};

/// What each protocol may cost.
struct Effort {
    explore: Limits,
    /// Time for the search of a proof.
    synth: Duration,
}

/// The judge has had its say in the search already: of so many certificates that were written and
/// read, one is put to it again.
const JUDGED_AGAIN: u64 = 5;

fn read(text: &str) -> Protocol {
    let source = SourceFile::new("random.rml", text);
    match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(messages) => panic!("{text}\n{}", render(&source, &messages, Colour::Never)),
    }
}

/// Every law about one protocol.
fn laws(seed: u64, effort: &Effort, tally: &mut Tally) -> Result<(), String> {
    let mut dice = Dice::new(seed);
    let text = generate::protocol(&mut dice);
    let protocol = read(&text);
    tally.tried("protocols");
    if is_quantified(&protocol) {
        tally.tried("protocols with a quantified property");
    }
    round_trip(&text, &protocol)?;
    let small: Size = protocol.signature.sized_sorts().map(|sort| (sort, 2)).collect();
    if engines_agree(&truth::question(&protocol, small.clone()), effort.explore)? {
        tally.tried("engines, symmetry, slicing and threads agree");
    }
    if meanings_agree(&protocol, &small, effort.explore, &mut dice)? > 0 {
        tally.tried("execution and transition formulas agree");
    }
    let first: Size = protocol.signature.sized_sorts().map(|sort| (sort, 1)).collect();
    let sizes = [ladder(&first), ladder(&small)].concat();
    let truth = Truth::new(&protocol, sizes, effort.explore);
    let prefer = if dice.chance(50) { Prefer::Cutoff } else { Prefer::Invariant };
    let (said, proof) = synthesized(&truth, effort.synth, prefer)?;
    tally.tried("synth");
    tally.said("synth", said);
    if let Some((certificate, judgement)) = proof.filter(|_| said == Said::Safe) {
        let written = reread(&protocol, &certificate)?;
        tally.tried("what synth writes reads back");
        if seed.is_multiple_of(JUDGED_AGAIN) {
            let again = checked(&truth, &written, Duration::from_secs(5))?;
            tally.tried("check of what synth wrote");
            tally.said("check of what synth wrote", again);
        }
        if let Some(cvc5) = second_solver() {
            let (asked, both) = solvers_agree(&judgement, cvc5)?;
            tally.tried("certificates put to cvc5");
            tally.tried_many("obligations that Z3 proves, put to cvc5", asked);
            tally.tried_many("obligations that cvc5 proves too", both);
        }
    }
    Ok(())
}

/// Printing and reading, formatting and formatting again change nothing.
fn round_trip(text: &str, protocol: &Protocol) -> Result<(), String> {
    let printed = print_protocol(protocol);
    if print_protocol(&read(&printed)) != printed {
        return Err("printed, read and printed again it differs".to_owned());
    }
    let canonical = |text: &str| match format(&SourceFile::new("random.rml", text)) {
        Ok(Formatted::Canonical(text)) => Ok(text),
        Ok(Formatted::Translated { .. }) | Err(_) => Err("it cannot be formatted".to_owned()),
    };
    let once = canonical(text)?;
    if canonical(&once)? != once {
        return Err("formatted twice it differs".to_owned());
    }
    if print_protocol(&read(&once)) != printed {
        return Err("formatting changes what it means".to_owned());
    }
    let tree = frontend::parse(&SourceFile::new("random.rml", once.as_str())).module;
    if frontend::print_module(&tree) != once {
        return Err("the tree prints as another text".to_owned());
    }
    Ok(())
}

/// The certificate that is read from what is written of one; it is written in the same way.
fn reread(protocol: &Protocol, certificate: &Certificate) -> Result<Certificate, String> {
    let written = print_certificate(protocol, certificate, "");
    let source = SourceFile::new("written.cut", written.as_str());
    let read = read_certificate(protocol, &source, Origin::AnyText);
    let read = read.map_err(|messages| format!("{written}\n{messages:?}"))?.certificate;
    match print_certificate(protocol, &read, "") == written {
        true => Ok(read),
        false => Err(format!("a certificate reads back as another one\n{written}")),
    }
}

fn run(seeds: std::ops::Range<u64>, effort: &Effort) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        if let Err(law) = laws(seed, effort, &mut tally) {
            let text = generate::protocol(&mut Dice::new(seed));
            tally.lie(&format!("seed {seed}: {law}"), &text);
        }
    }
    tally
}

/// No law is broken, and the run saw all kinds of protocols: how many depends on the machine.
fn check(tally: &Tally) {
    assert!(tally.lies.is_empty(), "{}", tally.lies.join("\n\n"));
    let seen = |row: &str, column| {
        assert!(tally.count(row, column) > 0, "{row}, {column}: none\n{}", tally.table());
    };
    seen("engines, symmetry, slicing and threads agree", "tried");
    seen("execution and transition formulas agree", "tried");
    seen("synth", "unsafe");
    seen("synth", "safe");
}

#[test]
fn random_protocols_keep_every_law() {
    let effort = Effort {
        explore: Limits { states: 2_000, time: Duration::from_millis(200) },
        synth: Duration::from_millis(200),
    };
    check(&run(0..150, &effort));
}

#[test]
#[ignore = "the long run: see tests/campaign.md"]
fn many_random_protocols_keep_every_law() {
    let first = setting("RMLCUT_SEED", 1_000_000) as u64;
    let count = setting("RMLCUT_COUNT", 20_000) as u64;
    let effort = Effort {
        explore: Limits { states: 20_000, time: Duration::from_millis(500) },
        synth: Duration::from_millis(setting("RMLCUT_SYNTH_MS", 1_000) as u64),
    };
    let tally = run(first..first + count, &effort);
    println!("{}", tally.table());
    if second_solver().is_none() {
        println!("RMLCUT_CVC5 names no cvc5: the second solver was not asked");
    }
    assert!(tally.lies.is_empty(), "{}", tally.lies.join("\n\n"));
}

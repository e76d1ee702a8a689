//! Random programs of machines, over every network.

use rmlcut::pipeline::read_protocol;
use rmlcut::source::SourceFile;

use super::meaning::compare;

/// A source of numbers that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const NETWORKS: &[&str] = &[
    "bag",
    "set",
    "lossy bag",
    "lossy set",
    "duplicating",
    "lossy duplicating",
    "fifo 1 per pair",
    "fifo 2 per pair",
    "fifo 2 per sender",
    "fifo 2 per receiver",
    "fifo 3 per receiver",
    "lossy fifo 2 per pair",
];

/// Messages: name, what is in them, from, to.
const MESSAGES: &[(&str, bool, &str, &str)] = &[
    ("ask", true, "client", "server"),
    ("tell", true, "server", "client"),
    ("ring", false, "client", "client"),
    ("stop", false, "server", "client"),
];

/// Kinds: name, states, variable of data, relation of data, relation of clients.
const KINDS: &[(&str, [&str; 3], [&str; 3])] = &[
    ("client", ["idle", "busy", "done"], ["wish", "knows", "friend"]),
    ("server", ["open", "held", "shut"], ["value", "has", "guest"]),
];

/// A formula about the machine.
fn condition(dice: &mut Dice, own: &[&str; 3], data: &str) -> String {
    let [variable, relation, friends] = own;
    match dice.below(5) {
        0 => format!("{variable} = {data}"),
        1 => format!("{relation}({data})"),
        2 => format!("exists C. {friends}(C)"),
        3 => format!("forall D. {relation}(D) -> D = {data}"),
        _ => format!("~{relation}({variable})"),
    }
}

fn statement(
    dice: &mut Dice,
    program: &Program,
    kind: usize,
    scope: (&str, Option<&str>),
    depth: usize,
) -> String {
    let (name, states, own) = &KINDS[kind];
    let (data, client) = scope;
    let [variable, relation, friends] = own;
    match dice.below(if depth == 0 { 6 } else { 5 }) {
        0 => format!("goto {}\n", dice.pick(states)),
        1 => format!("{variable} := {data}\n"),
        2 => match client {
            Some(client) => format!("{friends}({client}) := {}\n", dice.pick(&["true", "false"])),
            None => format!("{relation}(D) := D = {data}\n"),
        },
        5 => {
            let guard = condition(dice, own, data);
            let then = statement(dice, program, kind, scope, 1);
            let other = statement(dice, program, kind, scope, 1);
            format!("if {guard} {{\n{then}}} else {{\n{other}}}\n")
        }
        _ => {
            let sent: Vec<_> = MESSAGES.iter().filter(|(_, _, from, _)| from == name).collect();
            let (message, full, from, to) = sent[dice.below(sent.len())];
            let contents = match (full, dice.below(2)) {
                (false, _) => String::new(),
                (true, 0) => format!("({data})"),
                (true, _) => format!("({variable})"),
            };
            let one = match (*to, client) {
                ("client", Some(client)) => client.to_owned(),
                ("server", _) => "hub".to_owned(),
                _ if from == to => "me".to_owned(),
                _ => return format!("{relation}({data}) := true\n"),
            };
            let receivers = match dice.below(4) {
                0 if !program.per_sender => "all".to_owned(),
                1 if !program.per_sender && from == to => "others".to_owned(),
                2 if !program.per_sender && *to == "client" => {
                    format!("all C if {friends}(C)")
                }
                _ => one,
            };
            format!("send {message}{contents} to {receivers}\n")
        }
    }
}

struct Program {
    per_sender: bool,
}

fn text(seed: u64) -> String {
    let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let network = dice.pick(NETWORKS);
    let program = Program { per_sender: network.ends_with("sender") };
    let mut out = String::from("sort data\n");
    for (name, full, from, to) in MESSAGES {
        let contents = if *full { "(d: data)" } else { "" };
        out += &format!("message {name}{contents} from {from} to {to}\n");
    }
    out += &format!("network {network}\n");
    for (kind, (name, states, own)) in KINDS.iter().enumerate() {
        let [variable, relation, friends] = own;
        let listed = if *name == "server" { " = { hub }" } else { "" };
        out += &format!("machine {name}{listed} {{\nstates {}\n", states.join(", "));
        out += &format!("variable {variable}: data\nrelation {relation}(data)\n");
        out += &format!("relation {friends}(client)\n");
        out += &format!("init ~{relation}(D) & ~{friends}(C)\n");
        let mut step = |header: String, scope: (&str, Option<&str>), sends: bool| {
            let mut body = String::new();
            if dice.below(3) == 0 {
                body += &format!("require {}\n", condition(dice, own, scope.0));
            }
            for _ in 0..=dice.below(2) {
                let line = statement(dice, &program, kind, scope, 0);
                if sends || !line.contains("send") {
                    body += &line;
                }
            }
            let states = match dice.below(3) {
                0 => format!(" in {}", dice.pick(states)),
                _ => String::new(),
            };
            out += &format!("{header}{states} {{\n{body}}}\n");
        };
        step(format!("action {name}_acts(x: data, c: client)"), ("x", Some("c")), true);
        for (message, full, from, to) in MESSAGES.iter().filter(|(.., to)| to == name) {
            let _ = to;
            let contents = if *full { "(x)" } else { "" };
            let data = if *full { "x" } else { *variable };
            let client = (*from == "client").then_some("c");
            let sender = if *from == "client" { " from c" } else { "" };
            step(format!("on {message}{contents}{sender}"), (data, client), true);
        }
        if seed % 2 == kind as u64 {
            step("on crash".to_owned(), (variable, None), false);
            step("on restart".to_owned(), (variable, None), true);
        }
        out += "}\n";
    }
    out + "safety [nothing] ~(client_state(C) = idle & client_state(C) = busy)\n"
}

/// Whether a step sends more than a queue holds, or to so many queues that it cannot be written out:
/// then the program is refused.
fn is_refused(text: &str) -> bool {
    let source = SourceFile::new("random", text);
    let refused = read_protocol(&source).err().unwrap_or_default();
    refused.iter().any(|message| ["MAC0109", "RML0406"].contains(&message.code.0))
}

#[test]
fn random_programs_do_what_is_written() {
    let mut states = 0;
    for seed in 0..150 {
        let text = text(seed);
        if is_refused(&text) {
            continue;
        }
        states += compare(&format!("random {seed}"), &text, &[("client", 2), ("data", 2)], 60);
    }
    assert!(states > 1000, "{states}");
}

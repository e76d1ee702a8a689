//! scratch
#![allow(missing_docs, clippy::all)]
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = rmlcut::source::SourceFile::new("p", text);
        let parsed = rmlcut::frontend::parse(&source);
        let e = rmlcut::elaborate::elaborate("p", &parsed.module);
        let user = e.protocol.unwrap();
        let t = std::time::Instant::now();
        let found = rmlcut::synthesis::search(
            &user,
            &rmlcut::synthesis::SearchConfig {
                deadline: t + std::time::Duration::from_secs(
                    std::env::var("T").ok().and_then(|t| t.parse().ok()).unwrap_or(30),
                ),
                cancellation: Default::default(),
                mined: vec![],
            },
        );
        let ok = found.certificate.is_some();
        println!(
            "{path}: {} {:?} attempts {}",
            if ok { "FOUND" } else { "no" },
            t.elapsed(),
            found.attempts.len()
        );
        if std::env::var("V").is_ok() {
            for a in &found.attempts {
                println!(
                    "   {} | {} | {}",
                    a.property,
                    a.plan,
                    a.failure.clone().unwrap_or("OK".into())
                );
            }
        } else if let Some(a) = found.attempts.last() {
            println!(
                "   {} | {} | {}",
                a.property,
                a.plan,
                a.failure.clone().unwrap_or("OK".into())
            );
        }
        for case in &found.cases {
            let names = rmlcut::certificate::CaseContext::new(&user, case).names.clone();
            for c in &case.gamma {
                println!(
                    "      [{}] {}",
                    c.name,
                    rmlcut::logic::print_formula(&*names, &c.formula)
                );
            }
        }
    }
}

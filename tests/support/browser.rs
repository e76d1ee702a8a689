//! A real browser, driven as people drive it: Chromium through its driver, over plain HTTP on the
//! loopback address.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Where Debian puts the programs.
const CHROMIUM: &str = "/usr/bin/chromium";
const DRIVER: &str = "/usr/bin/chromedriver";

/// A browser with one empty page.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// What the driver says; it must have a reader.
    _said: BufReader<ChildStdout>,
    profile: tempfile::TempDir,
}

impl Browser {
    /// A fresh browser; `None`, with a message, where there is no Chromium.
    pub(crate) fn start() -> Option<Self> {
        if !Path::new(CHROMIUM).exists() || !Path::new(DRIVER).exists() {
            // Past the capture of the test program, which hides what a test that passes prints.
            let note = format!("skipped: {CHROMIUM} and {DRIVER} are needed");
            let _ = writeln!(std::io::stderr(), "{note}");
            return None;
        }
        let mut driver = Command::new(DRIVER)
            .args(["--port=0", "--allowed-ips="])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let mut said = BufReader::new(driver.stdout.take().expect("a pipe"));
        let port = said.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let profile = tempfile::tempdir().expect("a folder");
        let mut browser = Browser {
            driver,
            port: port.expect("the driver says its port"),
            session: String::new(),
            _said: said,
            profile,
        };
        let folder = browser.profile.path().display();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,1600",
            &format!("--user-data-dir={folder}"),
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": { "binary": CHROMIUM, "args": arguments },
        } } });
        let answer = browser.call("POST", "/session", &wanted);
        browser.session = answer["sessionId"].as_str().expect("a session").to_owned();
        Some(browser)
    }

    /// Opens an address.
    pub(crate) fn open(&self, address: &str) {
        self.ask("POST", "/url", &json!({ "url": address }));
    }

    /// The value of an expression on the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.ask("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&self, expression: &str) {
        let begin = Instant::now();
        while self.value(&format!("!!({expression})")) != json!(true) {
            assert!(begin.elapsed() < Duration::from_secs(20), "not in time: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks on the first element that a selector finds.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Types into the first element that a selector finds.
    pub(crate) fn keys(&self, selector: &str, keys: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("/element/{element}/value"), &json!({ "text": keys }));
    }

    /// What the browser complains about.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let entries = self.ask("POST", "/se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["message"].to_string()).collect()
    }

    fn element(&self, selector: &str) -> String {
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.ask("POST", "/element", &wanted);
        let id = found.as_object().and_then(|found| found.values().next()?.as_str());
        assert!(id.is_some(), "no {selector}: {found}");
        id.unwrap_or_default().to_owned()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("/session/{}{path}", self.session), body)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("the driver reads");
        let mut reader = BufReader::new(stream);
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line).expect("an answer") > 2 {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
            line.clear();
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text).expect("the whole answer");
        let answer: Value = serde_json::from_slice(&text).expect("the driver answers in JSON");
        assert!(answer["value"]["error"].is_null(), "{path}: {answer}");
        answer["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.ask("DELETE", "", &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

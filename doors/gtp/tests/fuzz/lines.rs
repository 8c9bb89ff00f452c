//! Lines that are sound, slightly wrong, or plain noise.

use jigo_board::{COLUMNS, Rng};
use jigo_gtp::{commands, parse};

/// The source of lines.
pub struct Lines {
    pub rng: Rng,
}

/// Words that tend to upset programs.
pub const NASTY_WORDS: &[&str] = &[
    "",
    "0",
    "-1",
    "2147483648",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "1e-320",
    "nan",
    "-inf",
    "0x10",
    "A0",
    "A999999999999",
    "I5",
    "Z1",
    "T19",
    "pass",
    "PASS",
    "resign",
    "\u{1F640}",
    "ﬀ",
    "\u{202E}B1",
    "ß",
    "ｂ",
    "'",
    "\"",
    "{}",
    "{\"ko\":[[[[[[[[[[",
    "{\"ko\":\"SIMPLE\"}",
    "[]",
    "null",
    "#",
    "\\",
    "../..",
    "/",
    "%s%n",
    "\u{0}",
    "\t",
    "=",
    "?",
];

impl Lines {
    /// A line that is sound, slightly wrong, or plain noise.
    pub fn next(&mut self) -> Vec<u8> {
        let mut line = match self.rng.below(20) {
            0 => self.noise(),
            1..4 => self.command_with_nasty_arguments(),
            _ => self.sound_line().into_bytes(),
        };
        if self.rng.chance(0.5) {
            for _ in 0..=self.rng.below(3) {
                self.mutate(&mut line);
            }
        }
        if self.rng.chance(0.2) {
            let id = format!("{} ", self.rng.next_u64() >> self.rng.below(64));
            line.splice(0..0, id.into_bytes());
        }
        // The one command that writes to the disk must not write wherever chance tells it to.
        let writes_a_file = parse(&line).is_some_and(|r| r.command == "printsgf" && !r.arguments.is_empty());
        if writes_a_file { b"printsgf".to_vec() } else { line }
    }

    fn noise(&mut self) -> Vec<u8> {
        let length = self.rng.below(60);
        (0..length).map(|_| self.rng.below(256) as u8).collect()
    }

    fn command_with_nasty_arguments(&mut self) -> Vec<u8> {
        let all: Vec<&str> = commands().map(|command| command.name).collect();
        let mut line = self.pick(&all).to_owned();
        for _ in 0..self.rng.below(5) {
            let word = if self.rng.chance(0.5) { self.pick(NASTY_WORDS).to_owned() } else { self.vertex() };
            line = format!("{line} {word}");
        }
        line.into_bytes()
    }

    /// What a client might send, mostly on small boards, where positions repeat and chains die soon.
    fn sound_line(&mut self) -> String {
        let (color, vertex) = (self.color(), self.vertex());
        let number = self.rng.below(12);
        match self.rng.below(64) {
            0..30 => format!("play {color} {vertex}"),
            30..36 => format!("genmove {color}"),
            36 => format!("reg_genmove {color}"),
            37..39 => "undo".to_owned(),
            39 => format!("gg-undo {number}"),
            40 => format!("is_legal {color} {vertex}"),
            41 => format!("all_legal {color}"),
            42 => self.boardsize(),
            43 => "clear_board".to_owned(),
            44 => format!("komi {}", number as f32 / 2.0),
            45 => format!("fixed_handicap {number}"),
            46 => format!("place_free_handicap {number}"),
            47 => format!("set_free_handicap {}", self.several(|lines| lines.vertex())),
            48 => format!("set_position {}", self.several(|lines| format!("{} {}", lines.color(), lines.vertex()))),
            49 => format!("time_settings {number} {} {}", self.rng.below(30), self.rng.below(5)),
            50 => format!("time_left {color} {}.5 {number}", self.rng.below(300)),
            51 => format!("unconditional_status {vertex}"),
            52 => format!("kata-set-rules {}", self.rules()),
            53 => "kata-set-rules {\"ko\":\"SITUATIONAL\",\"scoring\":\"TERRITORY\",\"suicide\":true}".to_owned(),
            54 => format!("kgs-rules {}", self.rules()),
            55 => format!("loadsgf {vertex} {number}"),
            56 => format!("known_command {vertex}"),
            57 => self.rare(),
            58 => self.tuning(),
            59 => self.of_clients(),
            _ => self.pick(&["get_komi", "showboard", "kata-get-rules", "printsgf", "name", "version"]).to_owned(),
        }
    }

    /// Commands that take long, or end what follows.
    fn rare(&mut self) -> String {
        let words = ["final_score", "final_status_list dead", "final_status_list seki", "list_commands", "cputime"];
        let more = ["protocol_version", "quit", "kgs-rules japanese", "clear_board", "boardsize 4", "boardsize 19"];
        self.pick(&[&words[..], &more[..], &["kgs-genmove_cleanup b", "kgs-genmove_cleanup w"]].concat()).to_owned()
    }

    /// What graphical programs and servers send between moves.
    fn of_clients(&mut self) -> String {
        let (color, number) = (self.color(), self.rng.below(12));
        let stones = self.several(|lines| format!("{} {}", lines.color(), lines.vertex()));
        match self.rng.below(20) {
            0 => format!("gogui-setup {stones}"),
            1 => format!("gogui-setup_player {color}"),
            2 => format!("gogui-play_sequence {stones}"),
            3 => format!("jigo-joseki {color}"),
            4 => format!("jigo-param live_graphics {}", number % 2),
            5 => format!("kgs-time_settings byoyomi {number} 10 5"),
            6 => format!("kata-time_settings fischer-capped {number} 5 60 -1"),
            7 => "kata-set-param lagBuffer 0.5".to_owned(),
            8 => "kata-get-param resignThreshold".to_owned(),
            9 => format!("cgos-opponent_rating {number}"),
            10 => "cgos-opponent_name somebody".to_owned(),
            11 => format!("{}-genmove_analyze {color} {number}", self.pick(&["lz", "kata", "cgos"])),
            12 => format!("kata-search_analyze {color} {number} ownership true"),
            13 => format!("kata-search_analyze_cancellable {color} rootInfo true"),
            15 => format!("kata-set-rule suicide {}", number % 2 == 0),
            16 => format!("kata-benchmark {}", 1 + number),
            17 => format!("lz-setoption name Lagbuffer value {number}"),
            18 => format!("kata-set-params {{\"lagBuffer\": 0.{number}, \"numSearchThreads\": 1}}"),
            14 => format!("rectangular_boardsize {number} {number}"),
            _ => self.pick(&["stop", "gogui-title", "kata-list-params", "jigo-ladders"]).to_owned(),
        }
    }

    fn tuning(&mut self) -> String {
        let name = self.pick(&["search.criticality", "engine.lag", "playout.policy", "prior.ko"]).to_owned();
        let value = self.pick(&["0.5", "1", "random", "pachi", "-7", "on"]).to_owned();
        if self.rng.chance(0.5) {
            format!("jigo-set_parameter {name} {value}")
        } else {
            format!("jigo-get_parameter {name}")
        }
    }

    pub fn mutate(&mut self, line: &mut Vec<u8>) {
        if line.is_empty() {
            line.push(b'#');
        }
        let at = self.rng.below(line.len());
        match self.rng.below(7) {
            0 => line[at] = self.rng.below(256) as u8,
            1 => line[at] ^= 1 << self.rng.below(8),
            2 => drop(line.remove(at)),
            3 => line.insert(at, self.rng.below(256) as u8),
            4 => line.truncate(at),
            5 => drop(line.splice(at..at, self.pick(NASTY_WORDS).bytes())),
            _ => {
                let copy = line[at..].to_vec();
                line.push(b' ');
                line.extend(copy);
            }
        }
    }

    fn boardsize(&mut self) -> String {
        let size = if self.rng.chance(0.02) { 8 + self.rng.below(12) } else { 2 + self.rng.below(4) };
        format!("boardsize {size}")
    }

    pub fn vertex(&mut self) -> String {
        let reach = if self.rng.chance(0.02) { 19 } else { 5 };
        let letter = &COLUMNS[self.rng.below(reach)..][..1];
        if self.rng.chance(0.03) { "pass".to_owned() } else { format!("{letter}{}", 1 + self.rng.below(reach)) }
    }

    pub fn color(&mut self) -> &'static str {
        self.pick(&["b", "w", "black", "WHITE"])
    }

    fn rules(&mut self) -> &'static str {
        self.pick(&["tromp-taylor", "chinese", "japanese", "aga", "new_zealand", "stone scoring", "go"])
    }

    fn several(&mut self, mut one: impl FnMut(&mut Lines) -> String) -> String {
        let count = self.rng.below(5);
        (0..count).map(|_| one(self)).collect::<Vec<_>>().join(" ")
    }

    pub fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.rng.below(from.len())]
    }
}

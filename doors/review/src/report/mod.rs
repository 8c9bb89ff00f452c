//! A review as one page that needs nothing else: the course of the game, how both players did, and the moves that
//! decided it on boards.

mod board;
mod graph;

use std::fmt::{Result, Write};

use jigo_board::{Color, Move};
use jigo_engine::Mistake;
use jigo_sgf::GameRecord;

use crate::review::Review;
use crate::subject::Subject;
use crate::words;
use board::BoardPicture;

const STYLE: &str = include_str!("style.css");
/// Boards on the page: as many as one likes to look at after a game.
const TURNING_POINTS: usize = 8;
/// Stones of a better variation that a board still bears.
const SHOWN_VARIATION: usize = 9;

/// The page about a review; `by` says who examined the game and how thoroughly.
pub fn page(subject: &Subject, review: &Review, by: &str) -> String {
    let mut html = String::new();
    Page { subject, review, by }.write(&mut html).expect("writing to a string cannot fail");
    html
}

struct Page<'a> {
    subject: &'a Subject,
    review: &'a Review,
    by: &'a str,
}

impl Page<'_> {
    fn write(&self, html: &mut String) -> Result {
        let title = escaped(&title(&self.subject.record));
        write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        )?;
        writeln!(html, "<p class=\"quiet\">{}</p>", escaped(&self.circumstances()))?;
        html.push_str("<div class=\"players\">\n");
        Color::BOTH.into_iter().try_for_each(|color| self.write_player(html, color))?;
        html.push_str("</div>\n<h2>The course of the game</h2>\n<div class=\"card\">\n");
        graph::write(html, self.review)?;
        html.push_str("</div>\n");
        self.write_turning_points(html)?;
        self.write_table(html)?;
        write!(html, "<p class=\"quiet\">{}</p>\n</main>\n</body>\n</html>\n", escaped(self.by))
    }

    fn circumstances(&self) -> String {
        let record = &self.subject.record;
        let game = &self.subject.games[0];
        let mut parts = vec![format!("{0}x{0}", self.review.size)];
        parts.extend(game.rules().name().map(|name| format!("{name} rules")));
        parts.push(format!("komi {}", game.komi()));
        parts.extend((record.handicap > 0).then(|| format!("{} handicap stones", record.handicap)));
        parts.push(format!("{} moves", self.review.moves.len()));
        parts.extend(record.result.as_ref().map(|result| format!("result {result}")));
        parts.extend(record.date.clone());
        parts.join(" · ")
    }

    fn write_player(&self, html: &mut String, color: Color) -> Result {
        let record = &self.subject.record;
        let player = if color == Color::Black { &record.black } else { &record.white };
        let summary = self.review.summary(color);
        let called = player.name.as_deref().unwrap_or(words::name(color));
        let rank = player.rank.as_ref().map(|rank| format!(" <span class=\"quiet\">{}</span>", escaped(rank)));
        write!(
            html,
            "<section class=\"card\">\n<h3><span class=\"stone {color}\"></span>{}{}</h3>\n",
            escaped(called),
            rank.unwrap_or_default()
        )?;
        let performance = &summary.performance;
        let share = |count: usize| 100.0 * count as f32 / performance.moves.max(1) as f32;
        write!(
            html,
            "<div class=\"figures\"><div><b>{:.2}</b><span>points lost per move</span></div>\
             <div><b>{:.0} %</b><span>first choice of the engine</span></div>\
             <div><b>{:.0} %</b><span>good moves</span></div></div>\n<div class=\"bar\">",
            performance.mean_loss().unwrap_or_default(),
            share(performance.best_moves),
            share(summary.good_moves())
        )?;
        let classes = Mistake::ALL.map(Mistake::name).into_iter().zip(summary.mistakes);
        let counts: Vec<(&str, usize)> = std::iter::once(("good", summary.good_moves())).chain(classes).collect();
        for (class, count) in counts.iter().filter(|&&(_, count)| count > 0) {
            write!(html, "<i class=\"{class}\" style=\"flex:{count}\"></i>")?;
        }
        html.push_str("</div>\n<div class=\"legend\">");
        for (class, count) in counts {
            write!(html, "<span><i class=\"dot {class}\"></i>{class} {count}</span>")?;
        }
        html.push_str("</div>\n</section>\n");
        Ok(())
    }

    fn write_turning_points(&self, html: &mut String) -> Result {
        let numbers = self.review.turning_points(TURNING_POINTS);
        html.push_str("<h2>Turning points</h2>\n");
        if numbers.is_empty() {
            html.push_str("<p>No move lost three points or more.</p>\n");
            return Ok(());
        }
        html.push_str(
            "<p class=\"quiet\">The position before the move. The move in the game is ringed red, the better \
             variation is numbered and begins with the green ring; the blue ring is the move before.</p>\n\
             <div class=\"turns\">\n",
        );
        numbers.into_iter().try_for_each(|number| self.write_turning_point(html, number))?;
        html.push_str("</div>\n");
        Ok(())
    }

    fn write_turning_point(&self, html: &mut String, number: usize) -> Result {
        let (review, size) = (self.review, self.review.size);
        let (color, mv) = review.moves[number - 1];
        let (before, after) = (&review.opinions[number - 1], &review.opinions[number]);
        let class = review.mistake(number).map_or("", Mistake::name);
        write!(
            html,
            "<section class=\"card turn\" id=\"move-{number}\">\n<h3>Move {number}: <span class=\"stone {color}\"></span>{}\
             <span class=\"badge {class}\">{class} · −{:.1}</span></h3>\n",
            words::vertex(mv, size),
            review.points_lost(number)
        )?;
        let better = before.best().map(|best| &best.variation[..best.variation.len().min(SHOWN_VARIATION)]);
        let picture = BoardPicture {
            board: self.subject.games[number - 1].board(),
            last: number.checked_sub(2).and_then(|last| review.moves[last].1.point()),
            played: mv.point().map(|point| (color, point)),
            better: better.unwrap_or_default(),
            better_begins: color,
        };
        picture.write(html)?;
        if let Some(best) = before.best() {
            writeln!(
                html,
                "<p><span class=\"better\">{}</span> was better: {} instead of {}.</p>",
                words::vertex(best.mv(), size),
                words::lead(best.black_lead),
                words::lead(after.black_lead)
            )?;
            let line = words::variation(&best.variation, size);
            writeln!(html, "<p class=\"quiet\">Expected: {line}</p>")?;
        }
        let chances = [before, after].map(|opinion| words::chances(opinion.black_win_rate));
        write!(html, "<p class=\"quiet\">{} → {}</p>\n</section>\n", chances[0], chances[1])
    }

    fn write_table(&self, html: &mut String) -> Result {
        html.push_str(
            "<details>\n<summary>All moves</summary>\n<div class=\"table\"><table>\n<tr><th class=\"number\">#</th>\
             <th>Move</th><th class=\"number\">Lost</th><th>Best</th><th>Lead</th><th>Chances</th></tr>\n",
        );
        let review = self.review;
        for number in 1..=review.moves.len() {
            let (color, mv) = review.moves[number - 1];
            let (lost, opinion) = (review.points_lost(number), &review.opinions[number]);
            let lost = if lost < words::LEAST_WORTH_TELLING { String::new() } else { format!("{lost:.1}") };
            let dot = review.mistake(number).map(|mistake| format!("<i class=\"dot {}\"></i>", mistake.name()));
            let vertex = |mv: Move| words::vertex(mv, review.size);
            let best = review.opinions[number - 1].best().map(|best| vertex(best.mv())).unwrap_or_default();
            writeln!(
                html,
                "<tr><td class=\"number\">{number}</td><td><span class=\"stone {color}\"></span>{}</td>\
                 <td class=\"number\">{}{lost}</td><td>{best}</td><td>{}</td><td>{}</td></tr>",
                vertex(mv),
                dot.unwrap_or_default(),
                words::lead(opinion.black_lead),
                words::chances(opinion.black_win_rate)
            )?;
        }
        html.push_str("</table></div>\n</details>\n");
        Ok(())
    }
}

fn title(record: &GameRecord) -> String {
    let called = |name: &Option<String>, color| name.clone().unwrap_or_else(|| words::name(color).to_string());
    format!("{} – {}", called(&record.black.name, Color::Black), called(&record.white.name, Color::White))
}

/// Text from a record, safe inside a page.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut safe, sign| {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
        safe
    })
}

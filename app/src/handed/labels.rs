//! Questions to a teacher, handed out in batches. Its net is lent, and a program of ours runs it that is bound as the players
//! of a game are: a file of KataGo's is packed, and may become anything.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use jigo_cluster::{ClusterLink, Fetch, JobServer, LinkOptions, ParcelName};
use jigo_train::positions::Exercise;
use jigo_train::teach::{KeepAnswers, Lesson, TeachError};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Job;
use super::nets::Nets;

/// Some questions to be answered elsewhere.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelJob {
    teacher: HandedTeacher,
    pub exercises: Vec<Exercise>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HandedTeacher {
    /// The name of what is lent.
    net: ParcelName,
    visits: Option<u64>,
}

/// Questions in one job. An answer about 19x19 takes at most 6 KB beside its moves, so these fit into a message after games of a
/// thousand moves.
pub const MOST_QUESTIONS: usize = 16;
/// As many as on one machine.
const MOST_VISITS: u64 = 1_000_000;
/// Teachers that wait for more questions.
const KEPT: usize = 4;

/// Lets the workers of a cluster answer.
pub fn ask_workers(
    link: &LinkOptions,
    net: Vec<u8>,
    visits: Option<u64>,
    batches: &[Vec<&Exercise>],
    store: &mut KeepAnswers<'_>,
) -> Result<(), TeachError> {
    let elsewhere = TeachError::Elsewhere;
    let link = ClusterLink::open(link).map_err(|error| elsewhere(error.to_string()))?;
    let jobs =
        JobServer::open(Arc::new(link), env!("CARGO_PKG_VERSION")).map_err(|error| elsewhere(error.to_string()))?;
    let teacher = HandedTeacher { net: jobs.lend(net), visits };
    for (number, batch) in batches.iter().enumerate() {
        let job = LabelJob { teacher, exercises: batch.iter().map(|&exercise| exercise.clone()).collect() };
        jobs.put(number as u64, Job::Labels(job).to_text().map_err(elsewhere)?);
    }
    while let Some((number, result)) = jobs.next() {
        store(result.and_then(|text| read_lessons(&text, &batches[number as usize])).map_err(elsewhere)?)?;
    }
    Ok(())
}

/// What a worker says a teacher answered, if it was asked just that.
fn read_lessons(text: &str, asked: &[&Exercise]) -> Result<Vec<Lesson>, String> {
    let lessons: Vec<Lesson> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let playable = asked.iter().filter(|exercise| exercise.game().is_some());
    let is_answered = lessons.iter().map(|lesson| &lesson.exercise).eq(playable.copied());
    let makes_sense = lessons.iter().all(|lesson| lesson.game().is_some());
    if is_answered && makes_sense { Ok(lessons) } else { Err("a worker answered what nobody had asked".to_string()) }
}

/// Teachers at work on this machine.
#[derive(Default)]
pub struct Teachers(Mutex<Vec<TeacherProcess>>);

impl Teachers {
    /// Answers for somebody else, with a teacher of at most so many megabytes.
    pub fn answer(&self, job: &LabelJob, megabytes: u32, nets: &Nets, fetch: &Fetch<'_>) -> Result<String, String> {
        let visits_are_few = job.teacher.visits.is_none_or(|visits| (1..=MOST_VISITS).contains(&visits));
        if job.exercises.len() > MOST_QUESTIONS || !visits_are_few {
            return Err("no such questions can be answered".into());
        }
        let questions = serde_json::to_string(&job.exercises).map_err(|error| error.to_string())?;
        let waiting = self.take(job.teacher);
        let mut teacher = match waiting {
            Some(teacher) => teacher,
            None => TeacherProcess::start(job.teacher, megabytes, nets.file(job.teacher.net, fetch)?)?,
        };
        // One that failed is not asked again.
        let answers = teacher.ask(&questions)?;
        self.keep(teacher);
        Ok(answers)
    }

    fn take(&self, wanted: HandedTeacher) -> Option<TeacherProcess> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = waiting.iter().position(|teacher| teacher.who == wanted)?;
        Some(waiting.remove(place))
    }

    fn keep(&self, teacher: TeacherProcess) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(teacher);
        if waiting.len() > KEPT {
            waiting.remove(0);
        }
    }
}

/// A process that answers a line of questions with a line of answers.
struct TeacherProcess {
    who: HandedTeacher,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Its net ends with it.
    _net: Arc<NamedTempFile>,
}

impl TeacherProcess {
    /// All words are ours; what came with the job is numbers.
    fn start(who: HandedTeacher, megabytes: u32, net: Arc<NamedTempFile>) -> Result<TeacherProcess, String> {
        let jigo = std::env::current_exe().map_err(|error| format!("the worker does not find itself: {error}"))?;
        let mut command = Command::new(jigo);
        command.arg("handed-teacher").arg("--lent-net").arg(net.path()).arg("--megabytes").arg(megabytes.to_string());
        if let Some(visits) = who.visits {
            command.arg("--visits").arg(visits.to_string());
        }
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = started.map_err(|error| format!("a teacher cannot be started: {error}"))?;
        let (Some(questions), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("a teacher cannot be spoken to".to_string());
        };
        Ok(TeacherProcess { who, process, questions, answers: BufReader::new(answers), _net: net })
    }

    fn ask(&mut self, questions: &str) -> Result<String, String> {
        let mut answers = String::new();
        let asked = writeln!(self.questions, "{questions}").and_then(|()| self.answers.read_line(&mut answers));
        match asked {
            Ok(length) if length > 0 => Ok(answers.trim_end().to_string()),
            _ => Err("the teacher has failed: its net is broken, or needs more than this worker lends".to_string()),
        }
    }
}

impl Drop for TeacherProcess {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exercise(moves: &str) -> Exercise {
        let text = format!(r#"{{"kind":"Policy","size":5,"rules":"chinese","komi":0.5,"given":[],"moves":[{moves}]}}"#);
        serde_json::from_str(&text).expect("an exercise")
    }

    fn job(exercises: Vec<Exercise>, visits: Option<u64>) -> LabelJob {
        LabelJob { teacher: HandedTeacher { net: [0; 32], visits }, exercises }
    }

    #[test]
    fn nobody_is_started_for_too_many_questions_or_visits_or_without_a_net() {
        let (teachers, nets) = (Teachers::default(), Nets::default());
        let answer = |job| teachers.answer(&job, 16, &nets, &|_| None).unwrap_err();
        assert!(answer(job(vec![exercise("12"); MOST_QUESTIONS + 1], None)).contains("no such questions"));
        for visits in [0, u64::MAX] {
            assert!(answer(job(vec![exercise("12")], Some(visits))).contains("no such questions"));
        }
        assert!(answer(job(vec![exercise("12")], None)).contains("did not arrive"));
    }

    #[test]
    fn answers_to_other_questions_do_not_count() {
        let (asked, other, broken) = (exercise("12"), exercise("7"), exercise("12,12"));
        let label = r#"{"policy":[[25,65535]],"win_rates":[[0.5,30000]],"even_komi":1.0,"spread":2.0,"ownership":[]}"#;
        let answer = |exercise: &Exercise, label: &str| {
            let exercise = serde_json::to_string(exercise).expect("text");
            format!(r#"[{{"exercise":{exercise},"label":{label}}}]"#)
        };
        assert_eq!(read_lessons(&answer(&asked, label), &[&asked, &broken]).map(|lessons| lessons.len()), Ok(1));
        assert!(read_lessons(&answer(&other, label), &[&asked]).is_err());
        assert!(read_lessons("[]", &[&asked]).is_err());
        let on_a_stone = label.replace("[25,", "[12,");
        assert!(read_lessons(&answer(&asked, &on_a_stone), &[&asked]).is_err());
    }
}

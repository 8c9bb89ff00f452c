//! A teacher's answers, sorted for learning: by board size, some kept aside.

use std::collections::BTreeMap;
use std::sync::Arc;

use jigo_board::Rng;
use jigo_net::{Backend, Net};

use crate::supervised::Taught;
use crate::teach::{Lesson, TeachError, agreement, put_right, read_lessons};
use crate::training_thread::Example;

pub struct Classroom {
    share: f32,
    teachers: Vec<String>,
    training: BTreeMap<usize, Vec<Lesson>>,
    kept_aside: Vec<Lesson>,
    /// Points that reading proves to be another's than the teacher thought.
    pub put_right: usize,
}

impl Classroom {
    pub fn open(taught: &Taught) -> Result<Classroom, TeachError> {
        let (mut lessons, teachers) = read_lessons(&taught.journals)?;
        // Our own nets are told no rules: they speak of areas.
        lessons.retain(|lesson| !lesson.exercise.counts_territory());
        let put_right = lessons.iter_mut().map(put_right).sum();
        let (kept_aside, training): (Vec<Lesson>, Vec<Lesson>) = lessons.into_iter().partition(Lesson::is_kept_aside);
        let mut by_size = BTreeMap::<usize, Vec<Lesson>>::new();
        for lesson in training {
            by_size.entry(lesson.exercise.size.into()).or_default().push(lesson);
        }
        Ok(Classroom { share: taught.share, teachers, training: by_size, kept_aside, put_right })
    }

    /// Are there answers about boards of this size?
    pub fn knows(&self, size: usize) -> bool {
        self.lessons(size) > 0
    }

    pub fn lessons(&self, size: usize) -> usize {
        self.training.get(&size).map_or(0, Vec::len)
    }

    /// Answers to learn from, on boards of all sizes.
    pub fn answers(&self) -> usize {
        self.training.values().map(Vec::len).sum()
    }

    pub fn teachers(&self) -> String {
        self.teachers.join(", ")
    }

    /// An answer about a board of this size, if it is its turn: always if there is nothing else to learn from.
    pub fn draw(&self, size: usize, has_records: bool, rng: &mut Rng) -> Option<Example> {
        let lessons = self.training.get(&size)?;
        if has_records && !rng.chance(self.share) {
            return None;
        }
        Example::of_lesson(&lessons[rng.below(lessons.len())], rng)
    }

    /// On answers kept aside: how often the net likes the same move best, and how far its win rate is off.
    pub fn examine(&self, net: &Arc<Net>, most: usize) -> Option<(f64, f64)> {
        let some: Vec<&Lesson> = self.kept_aside.iter().take(most).collect();
        let distance = agreement(Arc::clone(net) as Arc<dyn Backend>, &some).all;
        Some((distance.first_move.value()?, distance.win_rate.value()?))
    }
}

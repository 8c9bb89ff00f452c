//! From games to a table of gammas: find the shapes, lay out the contests, fit the weights twice.

use jigo_patterns::{CLASSES, Gammas, LEVELS, LevelGammas, MAX_LEVELS, PHASES, ShapeId, ShapeTree, UNKNOWN};

use crate::contests::{Contests, Sampling, TEAM_CLASSES, TeamTable};
use crate::corpus::{Corpus, CorpusError};
use crate::harvest::{Harvest, harvest};
use crate::mm::{BradleyTerry, Fit, Prior, Sweep, fit};
use crate::progress::Progress;

/// Everything that decides what is learned.
#[derive(Clone, Copy, Debug)]
pub struct LearnSettings {
    pub harvest: Harvest,
    pub sampling: Sampling,
    pub fit: Fit,
    /// A shape is believed to be worth what the next smaller shape is, as strongly as this many wins.
    pub shape_prior: f64,
    pub level_prior: f64,
}

/// Learns a table. With `earlier`, its shapes are kept and its weights are where fitting begins.
/// `after_sweep` is given every intermediate table, to be stored against interruptions.
pub fn learn(
    corpus: &Corpus,
    settings: &LearnSettings,
    earlier: Option<&Gammas>,
    progress: &mut Progress,
    mut after_sweep: impl FnMut(&Gammas, Sweep),
) -> Result<Gammas, CorpusError> {
    let tree = match earlier {
        Some(gammas) => gammas.tree().clone(),
        None => harvest(corpus, &settings.harvest, progress)?,
    };
    let mut contests = TeamTable::collect(corpus, &tree, &settings.sampling, progress)?;
    let mut model = earlier.map_or_else(|| BradleyTerry::all_equal(&contests.class_sizes()), model_of);

    let parents: Vec<ShapeId> = tree.shapes().iter().map(|shape| shape.parent).collect();
    let mut priors = [Prior::One { wins: settings.level_prior }; TEAM_CLASSES];
    priors[0] = Prior::Parent { parents: &parents, wins: settings.shape_prior };
    let unlearned_cores = vec![1.0; tree.core_count()];
    fit(&contests, priors, &mut model, &settings.fit, |model, sweep| {
        progress.at("fitting", sweep.number as u64, settings.fit.max_sweeps as u64);
        after_sweep(&table_of(tree.clone(), model, unlearned_cores.clone()), sweep);
    });

    // Once more with 3x3 shapes only: what they are worth where larger shapes are not looked at.
    contests.map_shapes(&core_of_each(&tree), tree.core_count());
    let mut cores = BradleyTerry { gammas: model.gammas.clone() };
    cores.gammas[0].truncate(tree.core_count());
    priors[0] = Prior::One { wins: settings.level_prior };
    fit(&contests, priors, &mut cores, &settings.fit, |_, sweep| {
        progress.at("fitting 3x3 shapes", sweep.number as u64, settings.fit.max_sweeps as u64);
    });
    let cores = cores.gammas.swap_remove(0);
    Ok(table_of(tree, &model, cores))
}

/// For each shape the 3x3 shape in its middle.
fn core_of_each(tree: &ShapeTree) -> Vec<ShapeId> {
    let mut cores: Vec<ShapeId> = Vec::with_capacity(tree.shapes().len());
    for (id, shape) in tree.shapes().iter().enumerate() {
        cores.push(if shape.parent == UNKNOWN { id as ShapeId } else { cores[shape.parent as usize] });
    }
    cores
}

fn table_of(tree: ShapeTree, model: &BradleyTerry, cores: Vec<f32>) -> Gammas {
    let mut levels: LevelGammas = [[[1.0; MAX_LEVELS]; CLASSES]; PHASES];
    for (class, names) in LEVELS.iter().enumerate() {
        for (phase, gammas) in model.gammas[class + 1].chunks(names.len()).enumerate() {
            levels[phase][class][..names.len()].copy_from_slice(gammas);
        }
    }
    Gammas::new(tree, model.gammas[0].clone(), levels, cores)
}

fn model_of(gammas: &Gammas) -> BradleyTerry {
    let shapes = (0..gammas.tree().shapes().len()).map(|id| gammas.shape_gamma(id as ShapeId)).collect();
    let class = |class: usize| {
        let names = LEVELS[class];
        gammas.level_gammas().iter().flat_map(|phase| phase[class][..names.len()].to_vec()).collect()
    };
    BradleyTerry { gammas: std::iter::once(shapes).chain((0..CLASSES).map(class)).collect() }
}

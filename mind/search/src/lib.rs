//! Room card: tree, selection, priors, backup, dynamic komi, stop rules, threads.

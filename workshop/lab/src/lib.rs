//! Room card: the papers tables as commands, parameter tuning, playout-quality reports, plots.

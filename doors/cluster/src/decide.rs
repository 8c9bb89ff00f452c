//! When the cluster plays (Pachi 5.2).

/// What ends a search of fixed playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutRule {
    /// Half of the machines have reached the number: what the paper's experiments used.
    #[default]
    Half,
    /// All machines together have reached the number: this scales better.
    Total,
}

/// Where the machines stand that take part and are alive, the coordinator included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Votes {
    pub machines: usize,
    /// Those whose own rules for stopping say that they have seen enough.
    pub would_play: usize,
    /// Those that have reached the number of playouts of one machine.
    pub reached: usize,
    /// Simulations of all machines, silent ones included; what a worker found that has left does not count.
    pub playouts: u64,
}

/// Has the cluster seen enough? Time is each machine's own affair.
pub fn is_decided(votes: &Votes, playouts_of_all: Option<u64>) -> bool {
    let willing = 2 * votes.would_play > votes.machines;
    let reached = votes.reached > 0 && 2 * votes.reached >= votes.machines;
    willing || reached || playouts_of_all.is_some_and(|limit| votes.playouts >= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_half_must_be_willing_but_half_may_have_reached_the_number() {
        let votes = |machines, would_play, reached| Votes { machines, would_play, reached, playouts: 0 };
        assert!(!is_decided(&votes(4, 2, 0), None));
        assert!(is_decided(&votes(4, 3, 0), None));
        assert!(is_decided(&votes(4, 0, 2), None));
        assert!(!is_decided(&votes(5, 2, 2), None));
        assert!(is_decided(&votes(1, 1, 0), None), "alone");
        assert!(!is_decided(&votes(1, 0, 0), None));
    }

    #[test]
    fn a_total_counts_what_all_have_played() {
        let votes = Votes { machines: 3, would_play: 0, reached: 0, playouts: 999 };
        assert!(!is_decided(&votes, Some(1000)));
        assert!(is_decided(&Votes { playouts: 1000, ..votes }, Some(1000)));
    }
}

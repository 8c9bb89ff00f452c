//! Wrong tokens, counted by address: after some of them the address has to wait, even with the right one. (An answer that is merely
//! late would tell a guesser as much as a quick one.)

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Wrong tokens in a row that are nobody's fault.
const FREE: u32 = 10;
/// One more is allowed after every so long.
const ONE_EVERY: Duration = Duration::from_secs(6);
/// Addresses remembered; whoever needs more of them has forgotten where it began.
const MOST_ADDRESSES: usize = 1024;

#[derive(Debug, Default)]
pub struct Guesses {
    /// For each address when all its wrong guesses are forgiven.
    forgiven: Mutex<HashMap<IpAddr, Instant>>,
}

impl Guesses {
    /// Has this address guessed wrong so often that it has to wait?
    pub fn must_wait(&self, address: IpAddr, now: Instant) -> bool {
        let forgiven = self.forgiven.lock().unwrap_or_else(PoisonError::into_inner);
        forgiven.get(&host(address)).is_some_and(|&at| at.saturating_duration_since(now) > ONE_EVERY * (FREE - 1))
    }

    pub fn was_wrong(&self, address: IpAddr, now: Instant) {
        let mut forgiven = self.forgiven.lock().unwrap_or_else(PoisonError::into_inner);
        if forgiven.len() >= MOST_ADDRESSES {
            forgiven.retain(|_, &mut at| at > now);
        }
        if forgiven.len() >= MOST_ADDRESSES
            && let Some(earliest) = forgiven.iter().min_by_key(|&(_, at)| *at).map(|(&address, _)| address)
        {
            forgiven.remove(&earliest);
        }
        let at = forgiven.entry(host(address)).or_insert(now);
        *at = (*at).max(now) + ONE_EVERY;
    }
}

/// A host of IPv6 has a whole network of addresses to guess from.
fn host(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or_else(
            || {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            },
            IpAddr::V4,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guesser_has_to_wait_and_nobody_else_does() {
        let guesses = Guesses::default();
        let [guesser, other] = [IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2])];
        let now = Instant::now();
        for _ in 0..FREE {
            assert!(!guesses.must_wait(guesser, now));
            guesses.was_wrong(guesser, now);
        }
        assert!(guesses.must_wait(guesser, now) && !guesses.must_wait(other, now));
        assert!(!guesses.must_wait(guesser, now + ONE_EVERY), "one guess is allowed again");
        guesses.was_wrong(guesser, now + ONE_EVERY);
        assert!(guesses.must_wait(guesser, now + ONE_EVERY));
    }

    #[test]
    fn many_addresses_cost_no_more_memory() {
        let guesses = Guesses::default();
        let now = Instant::now();
        for n in 0..5000_u16 {
            guesses.was_wrong(IpAddr::from([0x2001, 0xdb8, n, 0, 0, 0, 0, 1]), now);
        }
        assert!(guesses.forgiven.lock().unwrap().len() <= MOST_ADDRESSES);
    }
}

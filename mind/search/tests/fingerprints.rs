//! The stored fingerprints of playouts and search (printed by `jigo bench playout` and `jigo bench search`).
//!
//! Unchanged: the commit is a refactor. Changed: behaviour changed, and the commit that stores the new number says why and
//! carries an arena result (DESIGN: facts with consequences). The failing test prints the number to store.

const PLAYOUT: u64 = 0xbe20_d9bb_b19d_5c0a;
/// The program as shipped: with its net, on the portable kernel.
const SHIPPED: u64 = 0xcd91_d0c3_6d6e_f851;
const SEARCH: u64 = 0x2778_57ff_5a3b_644e;

#[test]
fn playouts_are_what_they_were() {
    let now = jigo_playout::fingerprint();
    assert_eq!(now, PLAYOUT, "the fingerprint of playouts is now {now:#018x}");
}

#[test]
fn searches_are_what_they_were() {
    let now = jigo_search::fingerprint();
    assert_eq!(now, SEARCH, "the fingerprint of the search is now {now:#018x}");
}

#[test]
fn shipped_searches_are_what_they_were() {
    let now = jigo_search::shipped_fingerprint();
    assert_eq!(now, SHIPPED, "the fingerprint of the shipped search is now {now:#018x}");
}

//! The stored fingerprint of the board (printed by `jigo bench board`).

/// A change of this number means that random games are no longer played as before: another rule of play,
/// another order of the empty points, other draws. Then every playout and search changes too, so the
/// commit that stores a new number says why, and carries an arena result if strength could be touched.
const FINGERPRINT: u64 = 0x8b2a_548d_44bd_d600;

#[test]
fn random_games_are_what_they_were() {
    let now = jigo_board::random_game::fingerprint();
    assert_eq!(now, FINGERPRINT, "the fingerprint is now {now:#018x}");
}

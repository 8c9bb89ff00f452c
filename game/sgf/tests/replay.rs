//! Records on the board and back.

use jigo_board::{Color, Diagram, Game, Illegal, Move, Point, Rng, Rules};
use jigo_sgf::{BoardSize, Collection, GameRecord, GameTree, Repetition, ReplayError};

fn record(text: &str) -> GameRecord {
    let collection = Collection::from_text(text).expect(text);
    GameRecord::main_line(&collection.games[0]).expect(text)
}

fn rules(name: &str) -> Rules {
    Rules::by_name(name).expect(name)
}

fn replay(text: &str, moves: usize) -> Game {
    record(text).replay(moves, rules("chinese"), Repetition::Judge).expect(text)
}

fn assert_board(game: &Game, diagram: &str) {
    let expected = Diagram::parse(diagram).unwrap().board;
    assert_eq!(game.board().hash(), expected.hash(), "\n{diagram}");
}

#[test]
fn moves_are_played_up_to_the_one_asked_for() {
    let text = "(;SZ[4]KM[0.5];B[bb];W[cc];B[];W[cb];B[dd])";
    let game = replay(text, 2);
    assert_board(
        &game,
        ". . . .
         . X . .
         . . O .
         . . . .",
    );
    assert_eq!((game.to_move(), game.komi(), game.moves().len()), (Color::Black, 0.5, 2));
    assert_eq!(replay(text, 0).moves().len(), 0);
    assert_eq!(replay(text, usize::MAX).moves().len(), 5);
}

#[test]
fn the_player_of_the_next_move_is_to_move() {
    let text = "(;SZ[4];W[aa];W[bb];B[cc])";
    let to_move: Vec<Color> = (0..4).map(|moves| replay(text, moves).to_move()).collect();
    assert_eq!(to_move, [Color::White, Color::White, Color::Black, Color::White]);
    assert_eq!(replay("(;SZ[4]PL[W])", 0).to_move(), Color::White);
}

#[test]
fn komi_comes_from_the_record_or_else_from_the_rules() {
    assert_eq!(replay("(;SZ[9]KM[3])", 0).komi(), 3.0);
    assert_eq!(replay("(;SZ[9])", 0).komi(), rules("chinese").default_komi);
    assert_eq!(record("(;RU[NZ])").known_rules(), Some(rules("new-zealand")));
    assert_eq!(record("(;RU[Tromp-Taylor])").known_rules(), Some(rules("tromp-taylor")));
    assert_eq!(record("(;RU[house rules])").known_rules(), None);
}

#[test]
fn counted_stones_of_black_are_his_handicap() {
    let game = replay("(;SZ[9]HA[2]KM[0]AB[cc][gg];W[ee])", 1);
    assert_eq!(game.handicap().len(), 2);
    assert_eq!(game.effective_komi(), 2.0);
    let uncounted = replay("(;SZ[9]KM[0]AB[cc][gg];W[ee])", 1);
    assert_eq!((uncounted.handicap().len(), uncounted.effective_komi()), (0, 0.0));
    assert_eq!(uncounted.board().hash(), game.board().hash());
}

#[test]
fn a_handicap_without_stones_stands_on_the_star_points_if_white_begins() {
    let game = replay("(;SZ[9]HA[2];W[ee])", 0);
    assert_eq!(game.handicap(), [Point::new(2, 6), Point::new(6, 2)]);
    assert_eq!(game.to_move(), Color::White);
    assert!(replay("(;SZ[9]HA[2];B[cc];B[gg];W[ee])", 0).handicap().is_empty());
}

#[test]
fn stones_set_up_during_the_game_start_it_anew() {
    let text = "(;SZ[4]KM[1];B[aa];W[bb];AE[aa]AW[dd]PL[W];W[cc];PL[B];B[ab])";
    let game = replay(text, 2);
    assert_board(
        &game,
        ". . . .
         . O . .
         . . . .
         . . . O",
    );
    assert_eq!((game.moves().len(), game.komi(), game.to_move()), (0, 1.0, Color::White));
    // A mere PL keeps the history.
    assert_eq!(replay(text, 4).moves().len(), 2);
}

#[test]
fn impossible_records_are_refused_with_the_reason() {
    let refuse = |text: &str| {
        record(text).replay(usize::MAX, rules("chinese"), Repetition::Judge).err().expect(text).to_string()
    };
    assert_eq!(refuse("(;SZ[19:13];B[aa])"), "a 19x13 board is not supported; boards are square, from 2x2 to 19x19");
    assert_eq!(refuse("(;SZ[1])"), "a 1x1 board is not supported; boards are square, from 2x2 to 19x19");
    assert_eq!(record("(;SZ[25])").playable_size(), Err(ReplayError::Size(BoardSize::square(25))));
    assert_eq!(refuse("(;SZ[5];B[aa];W[aa])"), "move 2, white A5, is illegal: the point is occupied");
    assert_eq!(refuse("(;SZ[5];B[ab];B[ba];W[aa])"), "move 3, white A5, is illegal: suicide");
    assert_eq!(refuse("(;SZ[2]AB[aa:bb])"), "the stones set up before move 1 leave a chain without liberties");
    assert_eq!(refuse("(;SZ[2]HA[4]AB[aa:bb])"), "the stones set up before move 1 leave a chain without liberties");
    assert_eq!(refuse(&format!("(;SZ[9]{})", ";B[]".repeat(10_001))), "the record has more than 10000 moves");
}

#[test]
fn a_repeated_position_is_judged_or_allowed() {
    // Sending two, returning one:  . X . X
    //                              O O X .
    let record = record("(;SZ[4]AB[ba][da][cb]AW[ab][bb]PL[B];B[aa];W[ca];B[ba])");
    let judge = |rules| record.replay(3, rules, Repetition::Judge).map(|game| game.board().hash());
    let refused =
        ReplayError::Move { number: 3, color: Color::Black, vertex: "B4".into(), reason: Illegal::PositionalSuperko };
    assert_eq!(judge(rules("tromp-taylor")), Err(refused));
    let start = record.replay(0, rules("tromp-taylor"), Repetition::Judge).unwrap();
    assert_eq!(judge(rules("japanese")), Ok(start.board().hash()));
    let allowed = record.replay(3, rules("tromp-taylor"), Repetition::Allow).unwrap();
    assert_eq!(allowed.board().hash(), start.board().hash());
    assert_eq!(allowed.rules(), &rules("tromp-taylor"));
}

fn random_game(rng: &mut Rng) -> Game {
    let size = 2 + rng.below(8);
    let mut game = Game::new(size, rules("tromp-taylor"));
    game.set_komi(rng.below(15) as f32 / 2.0);
    if size == 9 && rng.chance(0.5) {
        game.place_handicap(&[Point::new(2, 2), Point::new(6, 6)]).unwrap();
    }
    for _ in 0..rng.below(60) {
        let color = game.to_move();
        let mv = rng.pick(&game.legal_points(color)).map_or(Move::Pass, Move::Play);
        game.play(color, if rng.chance(0.1) { Move::Pass } else { mv }).unwrap();
    }
    game
}

#[test]
fn our_games_come_back_from_their_files() {
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        let game = random_game(&mut rng);
        let text = Collection { games: vec![GameTree::from_game(&game)] }.to_text();
        let record = record(&text);
        let again = record.replay(usize::MAX, record.known_rules().unwrap(), Repetition::Judge).expect(&text);
        assert_eq!(again.moves(), game.moves(), "{text}");
        assert_eq!(again.board().hash(), game.board().hash(), "{text}");
        assert_eq!(again.start_board().hash(), game.start_board().hash(), "{text}");
        assert_eq!(again.handicap().len(), game.handicap().len(), "{text}");
        assert_eq!((again.komi(), again.to_move()), (game.komi(), game.to_move()), "{text}");
        assert_eq!(again.rules(), game.rules(), "{text}");
    }
}

#[test]
fn games_are_written_with_room_for_comments() {
    let mut game = Game::new(9, rules("japanese"));
    game.play(Color::Black, Move::Play(Point::new(4, 4))).unwrap();
    game.play(Color::White, Move::Pass).unwrap();
    let mut tree = GameTree::from_game(&game);
    tree.root_mut().set_text("PB", "Jigo");
    let first_move = tree.main_line().nth(1).unwrap();
    tree.node_mut(first_move).set_text("C", "[tengen]");
    assert_eq!(
        Collection { games: vec![tree] }.to_text(),
        "(;FF[4]CA[UTF-8]GM[1]SZ[9]KM[6.5]RU[Japanese]PB[Jigo];B[ee]C[[tengen\\]];W[])\n"
    );
}

#[test]
fn positions_are_written_with_the_player_to_move() {
    let diagram = Diagram::parse(
        ". X .
         O . .
         . . .",
    )
    .unwrap();
    let game = Game::from_position(diagram.board, Color::White, rules("tromp-taylor"));
    assert_eq!(
        Collection { games: vec![GameTree::from_game(&game)] }.to_text(),
        "(;FF[4]CA[UTF-8]GM[1]SZ[3]KM[7.5]RU[tromp-taylor]AB[ba]AW[ab]PL[W])\n"
    );
}

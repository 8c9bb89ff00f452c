//! What is read from files, what is forgiven, and what is refused where.

use jigo_sgf::{Collection, GameTree, NodeId, SyntaxErrorKind};

fn one_game(text: &str) -> GameTree {
    let mut games = Collection::from_text(text).expect(text).games;
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The tree as nested lists: each node by its comment, variations in parentheses.
fn shape(tree: &GameTree) -> String {
    fn line(tree: &GameTree, mut id: NodeId, out: &mut String) {
        loop {
            out.push_str(&tree.node(id).text("C").unwrap_or("-".into()));
            match tree.children(id).collect::<Vec<_>>()[..] {
                [] => return,
                [only] => id = only,
                ref several => {
                    for &child in several {
                        out.push('(');
                        line(tree, child, out);
                        out.push(')');
                    }
                    return;
                }
            }
        }
    }
    let mut out = String::new();
    line(tree, tree.root_id(), &mut out);
    out
}

#[test]
fn variations_keep_their_order_and_depth() {
    let tree = one_game("(;C[a];C[b](;C[c];C[d](;C[e])(;C[f]))(;C[g])(;C[h];C[i]))");
    assert_eq!(shape(&tree), "ab(cd(e)(f))(g)(hi)");
    assert_eq!(tree.main_line().count(), 5);
    assert_eq!(tree.walk().count(), tree.node_count());
}

#[test]
fn a_lone_variation_is_the_sequence_itself() {
    assert_eq!(one_game("(;C[a](;C[b](;C[c])))"), one_game("(;C[a];C[b];C[c])"));
}

#[test]
fn a_collection_has_its_games_in_order() {
    let games = Collection::from_text("(;C[a])\n\n(;C[b];C[c])(;C[d])").unwrap().games;
    assert_eq!(games.iter().map(shape).collect::<Vec<_>>(), ["a", "bc", "d"]);
}

#[test]
fn text_around_and_between_games_is_no_part_of_them() {
    let text = "From: a friend (who plays)\r\n\r\n(;C[a]) and another ) one ( \n ;C[b])\nbye";
    let games = Collection::from_text(text).unwrap().games;
    assert_eq!(games.iter().map(shape).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn blanks_may_stand_between_all_tokens() {
    let spaced = one_game("\u{feff} ( ;\tAB [aa]\n [bb]\0 ; \u{3000} C\r\n[x] )\n");
    assert_eq!(spaced, one_game("(;AB[aa][bb];C[x])"));
}

#[test]
fn missing_parentheses_at_the_end_are_forgiven() {
    for text in ["(;C[a];C[b](;C[c])(;C[d]", "(;C[a];C[b](;C[c])(;C[d])", "(;C[a];C[b](;C[c])(;C[d])("] {
        assert_eq!(shape(&one_game(text)), "ab(c)(d)", "{text}");
    }
}

#[test]
fn long_names_of_ff3_lose_their_lowercase_letters() {
    let tree = one_game("(;FileFormat[3]GaMe[1]SiZe[9]PlayerBlack[me];Black[aa]Comment[x];White[bb])");
    let names: Vec<_> = tree
        .walk()
        .flat_map(|id| tree.node(id).properties.iter().map(|p| p.identifier().to_owned()).collect::<Vec<_>>())
        .collect();
    assert_eq!(names, ["SZ", "PB", "B", "C", "W"]);
}

#[test]
fn unknown_properties_survive_in_every_detail() {
    let text = "(;FF[4]CA[UTF-8]GM[1]KTV[1.0]SBKV[55.2]x[ \\] \\: : \\\\][]XY[a\\\nb\tc\r\n][d:e])\n";
    assert_eq!(Collection::from_text(text).unwrap().to_text(), text);
}

#[test]
fn repeated_properties_are_kept_apart() {
    let text = "(;FF[4]CA[UTF-8]GM[1]AB[aa]AB[bb]C[x]AB[cc])\n";
    assert_eq!(Collection::from_text(text).unwrap().to_text(), text);
}

#[test]
fn the_header_is_the_writers_own() {
    let written = one_game("(;C[a]CA[gb2312]GM[1]FF[3])");
    let text = Collection { games: vec![written] }.to_text();
    assert_eq!(text, "(;FF[4]CA[UTF-8]GM[1]C[a])\n");
    let chess = Collection::from_text("(;GM[3])").unwrap().to_text();
    assert_eq!(chess, "(;FF[4]CA[UTF-8]GM[3])\n");
}

#[test]
fn long_games_are_broken_into_lines_between_nodes() {
    let text = format!("({})", ";B[aa]".repeat(100));
    let written = Collection::from_text(&text).unwrap().to_text();
    assert!(written.lines().all(|line| line.len() < 100), "{written}");
    assert_eq!(Collection::from_text(&written), Collection::from_text(&text));
}

#[test]
fn every_error_says_what_and_where() {
    use SyntaxErrorKind::*;
    for (text, line, column, kind) in [
        ("", 1, 1, NoGame),
        ("just words (and more)", 1, 1, NoGame),
        ("(;C[a]\n;C[never closed)", 2, 3, UnclosedValue),
        ("(;C[a\\]", 1, 4, UnclosedValue),
        ("(;C[\u{56f2}\u{7881}]B;)", 1, 8, MissingValue("B".into())),
        ("(;B", 1, 3, MissingValue("B".into())),
        ("(;C[a]\r\n\r\n  *)", 3, 3, UnexpectedCharacter('*')),
        ("(;C[a]\u{7881})", 1, 7, UnexpectedCharacter('\u{7881}')),
        ("(;C[a][b]])", 1, 10, UnexpectedCharacter(']')),
        ("(;C[a]())", 1, 8, EmptyVariation),
        ("(;C[a]\r(B[aa]))", 2, 2, EmptyVariation),
        ("(;C[a](;C[b]);C[c])", 1, 14, NodeAfterVariations),
        ("(;C[a](;C[b])C[c])", 1, 14, PropertyOutsideNode("C".into())),
        ("(;C[a])\n(;C[b]\n[", 3, 1, UnclosedValue),
    ] {
        let error = Collection::from_text(text).expect_err(text);
        assert_eq!((error.place.line, error.place.column, &error.kind), (line, column, &kind), "{text:?}");
    }
}

#[test]
fn an_error_is_one_sentence_with_its_place() {
    let error = Collection::from_text("(;SZ[19]\nKM;B[aa])").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 1: property KM has no value in brackets");
}

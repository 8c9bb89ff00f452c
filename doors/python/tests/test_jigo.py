"""What `import jigo` promises."""

import math
import subprocess
import threading

import numpy as np
import pytest

import jigo


def test_a_game_is_played_by_its_rules():
    game = jigo.Game(5, komi=0.5)
    for move in ["B1", "A1", "A2"]:
        game.play(move)
    assert game.stones[4, 0] == 0, "A1 was captured; the last row is the first line"
    assert game.stones[4, 1] == 1 and game.stones[3, 0] == 1
    assert game.to_move == "W" and game.moves[1] == ("W", "A1")
    with pytest.raises(ValueError, match="illegal"):
        game.play("A1")
    game.undo()
    assert game.stones[4, 0] == -1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: jigo.Game(1),
        lambda: jigo.Game(20),
        lambda: jigo.Game(9, rules="chess"),
        lambda: jigo.Game(9, komi=1e9),
        lambda: jigo.Game(9, handicap=77),
        lambda: jigo.Game(9).play("Z99"),
        lambda: jigo.Game(9).undo(),
        lambda: jigo.Game(9).score(dead=["E5"]),
        lambda: jigo.Game.from_sgf("no game"),
        lambda: jigo.read_sgf(b"(;SZ[9"),
        lambda: jigo.Net().evaluate([]),
        lambda: jigo.Net().evaluate([jigo.Game(9), jigo.Game(19)]),
        lambda: jigo.Net().evaluate([jigo.Game(9)], symmetry=8),
        lambda: jigo.Engine(preset="deep blue"),
        lambda: jigo.Engine(threads=0),
        lambda: jigo.Engine(parameters={"search.no_such": "1"}),
        lambda: jigo.Engine().analyse(jigo.Game(9), visits=0),
        lambda: jigo.playouts(jigo.Game(9), parameters={"playout.no_such": "1"}),
    ],
)
def test_what_cannot_be_is_one_sentence(wrong):
    with pytest.raises(ValueError) as refused:
        wrong()
    assert "\n" not in str(refused.value) and len(str(refused.value)) > 8


def test_files_that_are_no_nets(tmp_path):
    with pytest.raises(OSError):
        jigo.Net(tmp_path / "missing.bin.gz")
    (tmp_path / "foreign").write_bytes(b"not a net")
    with pytest.raises(ValueError, match="foreign"):
        jigo.Net(tmp_path / "foreign")


def test_a_record_is_read_and_written():
    game = jigo.Game(9, komi=6.5, rules="japanese")
    game.play("C3")
    game.play("pass")
    again = jigo.Game.from_sgf(game.to_sgf())
    assert again.moves == game.moves and again.komi == 6.5 and again.rules == "japanese"
    (record,) = jigo.read_sgf("(;SZ[9]PB[Аня]PW[Bert]RE[W+R];B[ee];W[cc])".encode())
    assert (record.black, record.white, record.winner, len(record)) == ("Аня", "Bert", "W", 2)
    assert record.game(1).moves == [("B", "E5")]


def finished():
    """Black has three columns on the left, White two on the right."""
    game = jigo.Game(5, komi=0.5)
    for row in range(1, 6):
        game.play(f"B{row}", "B")
        game.play(f"D{row}", "W")
    for row in range(1, 6):
        game.play(f"C{row}", "B")
    return game


def test_the_board_is_counted():
    assert finished().score() == 15 - 10 - 0.5
    assert jigo.Engine(jigo.Net()).final_score(finished()) == 15 - 10 - 0.5


@pytest.mark.parametrize("net", [jigo.Net(), jigo.Net.fast()], ids=lambda net: net.description)
def test_a_net_evaluates_a_batch(net):
    games = [jigo.Game(9, komi=7) for _ in range(3)]
    games[1].play("E5")
    evaluation = net.evaluate(games)
    assert len(evaluation) == 3
    assert evaluation.policy.shape == (3, 82) and evaluation.policy.dtype == np.float32
    assert np.allclose(evaluation.policy.sum(axis=1), 1, atol=1e-3)
    assert evaluation.policy[1, 4 * 9 + 4] == 0, "a point that is taken"
    assert evaluation.ownership.shape == (3, 9, 9) and np.all(np.abs(evaluation.ownership) <= 1)
    assert np.allclose(evaluation.win_rate, evaluation.win_rate_at(7.0), atol=1e-6)
    assert np.all(evaluation.win_rate_at(-20.0) > evaluation.win_rate_at(20.0)), "Black likes a low komi"
    each = evaluation.win_rate_at(np.array([-20, 7, 20], dtype=np.float32))
    assert each[0] == evaluation.win_rate_at(-20.0)[0] and each[2] == evaluation.win_rate_at(20.0)[2]
    with pytest.raises(ValueError):
        evaluation.win_rate_at(np.zeros(2, dtype=np.float32))
    alone = net.evaluate([games[1]])
    assert np.allclose(alone.policy[0], evaluation.policy[1], atol=1e-3)


def test_one_seed_one_answer():
    game = jigo.Game(9, komi=7)
    game.play("E5")
    first, second = (jigo.Engine(jigo.Net(), seed=3).analyse(game, visits=60) for _ in range(2))
    told = lambda report: [(move.move, move.visits, move.win_rate) for move in report.moves]
    assert told(first) == told(second)
    assert first.best == first.moves[0].move and first.moves[0].variation[0] == first.best
    assert first.visits >= 60 and 0 < first.win_rate < 1 and first.ownership.shape == (9, 9)
    assert game.moves == [("B", "E5")], "analysis leaves the game alone"


def test_an_engine_knows_when_the_game_is_over():
    game = finished()
    game.play("pass")
    assert jigo.Engine(jigo.Net(), playouts=50).genmove(game) == "pass"
    assert not game.is_over, "it only says what it would play"


def test_playouts_end_and_add_up():
    played = jigo.playouts(finished(), 50)
    assert len(played) == 50 and played.scores.shape == (50,)
    assert np.all(played.ownership[:, 0] > 0.5) and np.all(played.ownership[:, 4] < -0.5)
    assert np.array_equal(played.scores, jigo.playouts(finished(), 50).scores), "one seed, one answer"


def test_a_match_has_an_interval():
    strong, weak = jigo.Engine(jigo.Net(), visits=40), jigo.Engine(playouts=1)
    result = jigo.play_match(strong, weak, 4, size=5, komi=0.5)
    assert result.wins + result.draws + result.losses == 4 == len(result.games)
    low, high = result.interval
    assert 0 <= low <= result.score <= high <= 1
    assert jigo.MatchResult(3, 0, 0).elo == math.inf and jigo.MatchResult(1, 0, 1).elo == 0


def test_threads_of_python_think_side_by_side():
    net, answers = jigo.Net(), {}

    def think(number):
        answers[number] = jigo.Engine(net, seed=number).analyse(jigo.Game(9), visits=30).visits

    threads = [threading.Thread(target=think, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4 and min(answers.values()) >= 30


def test_the_program_comes_along():
    """Only in a wheel of packaging/build, which has the program inside."""
    from importlib.metadata import files

    scripts = [file for file in files("jigo") or [] if file.name in ("jigo", "jigo.exe")]
    if not scripts:
        pytest.skip("this wheel was made without the program")
    answer = subprocess.run(
        [scripts[0].locate(), "gtp", "--threads", "1"], input="boardsize 9\nname\nquit\n", capture_output=True, text=True
    )
    assert answer.returncode == 0 and "= Jigo" in answer.stdout

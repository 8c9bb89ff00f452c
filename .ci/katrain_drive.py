#!/usr/bin/env python3
"""KaTrain's own engine code drives `jigo analysis` through a game of fifty moves.

usage: katrain_drive.py 'path/to/jigo analysis --threads 2' [ANNOTATED.sgf ...]

Fails unless every position is answered with ownership and policy, as KaTrain understands them. SGF files given
besides, as `jigo review` writes them, must load in KaTrain with their analysis.
"""

import os
import random
import sys
import time

from katrain_headless import Headless  # first: it keeps KaTrain from looking for a screen

from katrain.core.engine import KataGoEngine
from katrain.core.game import BaseGame, IllegalMoveException, KaTrainSGF
from pysgf import Move

MOVES = 50
VISITS = 50
PATIENCE_SECONDS = 300


def wait_until(condition, what):
    begun = time.time()
    while not condition():
        if time.time() - begun > PATIENCE_SECONDS:
            sys.exit(f"KaTrain waited in vain: {what}")
        time.sleep(0.05)


def play_random_moves(game):
    """Legal moves that KaTrain itself accepts, spread over the board."""
    rng = random.Random(6)
    size, _ = game.board_size
    while len(game.current_node.nodes_from_root) <= MOVES:
        player = game.current_node.next_player
        try:
            game.play(Move((rng.randrange(size), rng.randrange(size)), player=player))
        except IllegalMoveException:
            pass


def main():
    command, annotated = sys.argv[1], sys.argv[2:]
    window = Headless()
    config = {
        "backend": "custom",
        "altcommand": command,
        "allow_recovery": False,
        "max_visits": VISITS,
        "fast_visits": VISITS,
        "max_time": 8.0,
        "wide_root_noise": 0.04,
        "_enable_ownership": True,
    }
    engine = KataGoEngine(window, config)
    game = BaseGame(window)
    play_random_moves(game)
    nodes = game.current_node.nodes_from_root
    for node in nodes:
        node.analyze(engine)
    wait_until(lambda: all(node.analysis_complete for node in nodes), "for the analysis of the game")
    for node in nodes:
        assert len(node.ownership) == 361 and all(-1 <= owner <= 1 for owner in node.ownership), node
        assert len(node.policy) == 362 and abs(sum(p for p in node.policy if p >= 0) - 1) < 0.01, node
        assert node.root_visits >= VISITS and 0 <= node.winrate <= 1 and node.candidate_moves, node
        assert node.is_root or node.points_lost is not None, node

    # Pondering: partial results until it is told to stop.
    last = nodes[-1]
    before = last.root_visits
    last.analyze(engine, ponder=True, time_limit=False, report_every=0.1)
    wait_until(lambda: last.root_visits > before, "for pondering to tell something")
    engine.stop_pondering()
    wait_until(engine.is_idle, "for pondering to end")

    assert not window.complaints, window.complaints
    assert engine.check_alive()
    engine.shutdown(finish=None)
    print(f"KaTrain analysed {len(nodes)} positions with ownership and policy.")

    for path in annotated:
        node = KaTrainSGF.parse_file(path)
        loaded = 0
        while True:
            loaded += bool(node.load_analysis() and node.analysis_exists)
            if not node.children:
                break
            node = node.children[0]
        assert loaded > 1, f"KaTrain finds no analysis in {path}"
        print(f"KaTrain read the analysis of {loaded} positions from {os.path.basename(path)}.")


main()

#!/usr/bin/env python3
"""Every opponent of KaTrain's plays a few moves with `jigo analysis`, the human ones among them.

usage: katrain_opponents.py 'path/to/jigo analysis --net A-NET-THAT-KNOWS-PEOPLE'
"""

import json
import os
import sys

from katrain_headless import Headless  # first: it keeps KaTrain from looking for a screen

import katrain
from katrain.core.ai import generate_ai_move
from katrain.core.constants import AI_STRATEGIES
from katrain.core.engine import KataGoEngine
from katrain.core.game import Game

MOVES = 4
VISITS = 8


def main():
    window = Headless()
    config = {
        "backend": "custom",
        "altcommand": sys.argv[1],
        "allow_recovery": False,
        "max_visits": VISITS,
        "fast_visits": VISITS,
        "max_time": 8.0,
        "wide_root_noise": 0.04,
        "_enable_ownership": True,
    }
    with open(os.path.join(os.path.dirname(katrain.__file__), "config.json")) as file:
        settings = json.load(file)["ai"]
    engine = KataGoEngine(window, config)
    for opponent in AI_STRATEGIES:
        game = Game(window, engine)
        for _ in range(MOVES):
            move, node = generate_ai_move(game, opponent, settings[opponent])
            assert move is not None and node is not None, (opponent, window.complaints)
        assert not window.complaints, (opponent, window.complaints)
        thoughts = game.current_node.ai_thoughts or ""
        assert "not found" not in thoughts and "error" not in thoughts.lower(), (opponent, thoughts)
    assert engine.check_alive()
    engine.shutdown(finish=None)
    print(f"{len(AI_STRATEGIES)} opponents of KaTrain's played {MOVES} moves each.")


main()

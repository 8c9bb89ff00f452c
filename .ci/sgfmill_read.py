#!/usr/bin/env python3
"""sgfmill, a strict reader of game records, reads what `jigo review` wrote.

usage: sgfmill_read.py ANNOTATED.sgf ...
"""

import sys

from sgfmill import sgf, sgf_moves

for path in sys.argv[1:]:
    with open(path, "rb") as record:
        game = sgf.Sgf_game.from_bytes(record.read())
    line = game.get_main_sequence()
    for node in line:
        assert 0 <= float(node.get_raw("SBKV")) <= 100 and node.has_property("SBKS"), path
        assert len(node.get_raw_list("KT")) == 3 and "[Jigo]" in node.get("C"), path
    board, moves = sgf_moves.get_setup_and_moves(game)
    for color, move in moves:
        if move is not None:
            board.play(*move, color)
    branches = sum(len(node) - 1 for node in line if len(node) > 1)
    print(f"sgfmill read {len(moves)} moves and {branches} branches.")

"""Jigo, a Go engine: games and rules, records, nets, searches, playouts and matches.

>>> import jigo
>>> game = jigo.Game(9, komi=7)
>>> game.play("E5")
>>> game.to_move
'W'
"""

from ._jigo import (
    Engine,
    Evaluation,
    Game,
    MoveReport,
    Net,
    Playouts,
    Record,
    Report,
    __version__,
    playouts,
    read_sgf,
)
from .match import MatchResult, play_game, play_match

__all__ = [
    "Engine",
    "Evaluation",
    "Game",
    "MatchResult",
    "MoveReport",
    "Net",
    "Playouts",
    "Record",
    "Report",
    "__version__",
    "play_game",
    "play_match",
    "playouts",
    "read_sgf",
]

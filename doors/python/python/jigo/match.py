"""Matches between two engines, colours in turn, with an interval that says how much they mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ._jigo import Engine, Game


@dataclass
class MatchResult:
    """Games that the first engine won, drew and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    games: list[Game] = field(default_factory=list, repr=False)

    @property
    def score(self) -> float:
        """The first engine's share of the points."""
        played = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / played if played else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, 95 times in a hundred (Wilson)."""
        played = self.wins + self.draws + self.losses
        if not played:
            return (0.0, 1.0)
        z = 1.96
        centre = self.score + z * z / (2 * played)
        width = z * math.sqrt(self.score * (1 - self.score) / played + z * z / (4 * played * played))
        whole = 1 + z * z / played
        return ((centre - width) / whole, (centre + width) / whole)

    @property
    def elo(self) -> float:
        """The difference in Elo; infinite if one side won everything."""
        if self.score in (0.0, 1.0):
            return math.copysign(math.inf, self.score - 0.5)
        return -400 * math.log10(1 / self.score - 1)


def play_game(black: Engine, white: Engine, game: Game) -> float:
    """Plays `game` to its end and returns Black's lead; a resignation is an infinite one.

    A game of more than three moves a point ends as it stands.
    """
    while not game.is_over and len(game.moves) < 3 * game.size**2:
        mover = black if game.to_move == "B" else white
        move = mover.genmove(game)
        if move == "resign":
            return math.inf if game.to_move == "W" else -math.inf
        game.play(move)
    return black.final_score(game)


def play_match(
    first: Engine,
    second: Engine,
    games: int = 10,
    *,
    size: int = 9,
    komi: float = 7.0,
    rules: str = "chinese",
) -> MatchResult:
    """Plays `games` games; the first engine has Black in the first, third, fifth ..."""
    result = MatchResult()
    for number in range(games):
        game = Game(size, komi=komi, rules=rules)
        first_is_black = number % 2 == 0
        black, white = (first, second) if first_is_black else (second, first)
        lead = play_game(black, white, game)
        ours = lead if first_is_black else -lead
        if ours > 0:
            result.wins += 1
        elif ours < 0:
            result.losses += 1
        else:
            result.draws += 1
        result.games.append(game)
    return result

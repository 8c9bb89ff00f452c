// A clock between two messages of the server: what is left after some seconds have passed.

/** `left` as the server gave it; returns `{ seconds, note, isOvertime }` where note is the periods or moves left. */
export function clockAfter(left, setting, elapsed) {
  let rest = elapsed;
  if (left.main !== null && left.main - rest > 0) return { seconds: left.main - rest, note: null, isOvertime: false };
  let { time, moves, periods } = left;
  if (left.main !== null) {
    rest -= left.main;
    if (!setting.period) return { seconds: 0, note: null, isOvertime: false };
    time = setting.period;
    moves = setting.moves ?? null;
    periods = setting.periods ?? null;
  }
  let seconds = (time ?? 0) - rest;
  while (seconds <= 0 && periods > 1) {
    periods -= 1;
    seconds += setting.period;
  }
  const note = setting.kind === "byoyomi" ? periods : setting.kind === "canadian" ? moves : null;
  return { seconds: Math.max(0, seconds), note, isOvertime: true };
}

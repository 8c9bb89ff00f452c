// Numbers as people read them.

export function percent(rate, digits = 1) {
  return (100 * rate).toFixed(digits);
}

/** "+3.2", "−0.5", "0.0", with a real minus sign. */
export function signed(value, digits = 1) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? "\u2212" : "+") + text;
}

/** 950, 1.2k, 34k, 1.5M. */
export function compact(count) {
  if (count < 1000) return String(count);
  if (count < 10_000) return (count / 1000).toFixed(1) + "k";
  if (count < 1_000_000) return Math.round(count / 1000) + "k";
  return (count / 1_000_000).toFixed(1) + "M";
}

/** Komi without useless zeros: 6.5, 7, −12.5. */
export function komiText(komi) {
  return (komi < 0 ? "\u2212" : "") + String(Math.round(Math.abs(komi) * 100) / 100);
}

/** A player's clock: as `timeText`, with tenths in the last ten seconds. */
export function clockText(seconds) {
  const tenths = Math.ceil(Math.max(0, seconds) * 10);
  return tenths < 100 ? `0:0${(tenths / 10).toFixed(1)}` : timeText(seconds);
}

/** 1:05:09, 12:34, 0:09. */
export function timeText(seconds) {
  const left = Math.max(0, seconds);
  const whole = Math.ceil(left);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** "B+3.5" as a result is written, which every player reads at a glance. */
export function leadText(blackLead) {
  const points = Math.abs(blackLead).toFixed(1);
  return blackLead >= 0 ? `B+${points}` : `W+${points}`;
}

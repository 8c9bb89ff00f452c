// How good a move is, as one of six classes. The steps in points lost are the ones players know from KaTrain.

const STEPS = [0.5, 1.5, 3, 6, 12];

/** 0 (as good as the best) to 5 (a disaster). */
export function qualityOfLoss(pointsLost) {
  const step = STEPS.findIndex((limit) => pointsLost < limit);
  return step < 0 ? STEPS.length : step;
}

/** From this class on a move belongs in the list of mistakes. */
export const MISTAKE = 2;

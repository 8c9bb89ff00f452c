// Stone sounds, made on the spot: a click is a short burst of noise through a resonance, so there is nothing to load.

let context = null;

function audio() {
  context ??= new AudioContext();
  // Browsers keep sound off until a person has touched the page; asking again costs nothing.
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** One knock: noise decaying within `length` seconds around `pitch` hertz. */
function knock({ pitch, length, volume, delay = 0 }) {
  const output = audio();
  const start = output.currentTime + delay;
  const samples = Math.ceil(output.sampleRate * length);
  const buffer = output.createBuffer(1, samples, output.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < samples; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / samples);
  const source = output.createBufferSource();
  source.buffer = buffer;
  const body = output.createBiquadFilter();
  body.type = "bandpass";
  body.frequency.value = pitch;
  body.Q.value = 2.2;
  const gain = output.createGain();
  gain.gain.value = volume;
  source.connect(body).connect(gain).connect(output.destination);
  source.start(start);
}

/** A stone on wood: the bright tap of the stone and the low answer of the board. */
export function stoneSound() {
  const vary = 0.94 + Math.random() * 0.12;
  knock({ pitch: 2300 * vary, length: 0.045, volume: 0.9 });
  knock({ pitch: 420 * vary, length: 0.09, volume: 0.7 });
}

/** Captured stones going into the bowl. */
export function captureSound(count) {
  for (let i = 0; i < Math.min(count, 5); i++) {
    knock({ pitch: 3000 + Math.random() * 900, length: 0.03, volume: 0.35, delay: 0.09 + i * 0.055 + Math.random() * 0.02 });
  }
}

export function passSound() {
  knock({ pitch: 600, length: 0.06, volume: 0.35 });
}

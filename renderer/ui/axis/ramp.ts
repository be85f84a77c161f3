// Colours for values. Two ramps, both safe for colour blindness: a diverging one from blue over the ground to orange (the one
// pair of hues that protan, deutan and tritan vision all keep apart), and a sequential one whose lightness alone tells the
// order, so that it also reads in grey. Steps are even in OKLab, where even steps look even.

type Lab = readonly [lightness: number, a: number, b: number];

/** Colours of a ramp; more than an eye tells apart. */
const steps = 48;

/** The ramps of a theme, as CSS colours from low to high. */
export interface Ramps {
  /** From the far negative over the ground to the far positive. */
  readonly diverging: readonly string[];
  /** From next to nothing to the most. */
  readonly sequential: readonly string[];
}

/** An `oklch(L% C H)` as the theme writes its colours. */
export function parseOklch(text: string): Lab | null {
  const found = /^oklch\(\s*([\d.]+)(%?)\s+([\d.]+)\s+([\d.]+)/u.exec(text);
  if (found === null) return null;
  const [, lightness = '', percent = '', chroma = '', hue = ''] = found;
  const angle = (Number(hue) * Math.PI) / 180;
  const l = Number(lightness) / (percent === '%' ? 100 : 1);
  return [l, Number(chroma) * Math.cos(angle), Number(chroma) * Math.sin(angle)];
}

function mix(from: Lab, to: Lab, share: number): Lab {
  const at = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * share;
  return [at(0), at(1), at(2)];
}

function css([l, a, b]: Lab): string {
  return `oklab(${l.toFixed(4)} ${a.toFixed(4)} ${b.toFixed(4)})`;
}

/** A value close to the middle is still told from the ground: the ramps begin a little beside it. */
const least = 0.1;

/** Colours `oklab(…)` of a ramp from `from` to `to`, the first one a little on its way. */
function ramp(from: Lab, to: Lab): Lab[] {
  return Array.from({ length: steps }, (_, at) => mix(from, to, least + (1 - least) * (at / (steps - 1))));
}

/**
 * The ramps over a ground. `neg`, `pos` and `ground` are the theme's colours; the sequential ramp goes from the ground over teal
 * to its opposite lightness, monotonously.
 */
export function createRamps(ground: string, neg: string, pos: string): Ramps {
  const base = parseOklch(ground) ?? [0.5, 0, 0];
  const low = parseOklch(neg) ?? [0.6, -0.05, -0.1];
  const high = parseOklch(pos) ?? [0.7, 0.06, 0.12];
  const dark = base[0] < 0.5;
  // Darker than the ground in the light, lighter in the dark; the hue turns from blue to green on the way.
  const middle: Lab = dark ? [0.52, -0.05, -0.07] : [0.72, -0.06, -0.05];
  const end: Lab = dark ? [0.93, -0.05, 0.12] : [0.32, 0.01, -0.13];
  const first = ramp(base, middle);
  const second = Array.from({ length: steps }, (_, at) => mix(middle, end, (at + 1) / steps));
  return {
    diverging: [...ramp(base, low).toReversed(), ...ramp(base, high)].map(css),
    sequential: [...first, ...second].map(css),
  };
}

/** The colour at a share 0..1 of a ramp. */
export function colourAt(ramp: readonly string[], share: number): string {
  const at = Math.round(Math.min(1, Math.max(0, share)) * (ramp.length - 1));
  return ramp[at] ?? 'transparent';
}

// Every pair of a text colour and a ground of theme.css keeps WCAG AA (4.5 : 1), every shape 3 : 1, in both themes.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../../renderer/theme.css', import.meta.url), 'utf8');

type Colour = readonly [lightness: number, chroma: number, hue: number];

/** Custom properties with an oklch value in the rule that `selector` opens. */
function tokens(selector: string): Map<string, Colour> {
  const start = css.indexOf(`${selector} {`);
  expect(start, selector).toBeGreaterThanOrEqual(0);
  const rule = css.slice(start, css.indexOf('}', start));
  const found = rule.matchAll(/--([\w-]+):\s*oklch\(([\d.]+)%\s+([\d.]+)\s+([\d.]+)\)/g);
  return new Map([...found].map(([, name = '', l, c, h]) => [name, [Number(l) / 100, Number(c), Number(h)] as const]));
}

/** Relative luminance of an oklch colour: https://www.w3.org/TR/css-color-4/#color-conversion-code, clipped to sRGB. */
function luminance([lightness, chroma, hue]: Colour): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return 0.2126 * clip(red) + 0.7152 * clip(green) + 0.0722 * clip(blue);
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['bg', 'panel', 'sunken', 'hover', 'selected'];
const meanings = ['exec', 'summary', 'hack', 'clean', 'unsure'];
const light = tokens(':root');
const themes = { light, dark: new Map([...light, ...tokens(':root[data-theme="dark"]')]) };

describe.each(Object.entries(themes))('%s theme', (_, theme) => {
  const colour = (name: string): Colour => {
    const value = theme.get(name);
    if (value === undefined) throw new Error(`theme.css has no colour --${name}`);
    return value;
  };
  const failing = (names: readonly string[], on: (name: string) => readonly string[], least: number) =>
    names.flatMap((name) =>
      on(name)
        .map((ground) => `${name} on ${ground}: ${contrast(colour(name), colour(ground)).toFixed(2)}`)
        .filter((line) => Number(line.split(': ')[1]) < least),
    );

  it('text is AA on every ground', () => {
    expect(failing(['fg', 'fg-muted', 'fg-faint', 'accent-text'], () => [...grounds, 'accent-soft'], 4.5)).toEqual([]);
  });

  it('words of a meaning are AA on every ground and on their own', () => {
    const names = meanings.map((meaning) => `${meaning}-text`);
    expect(failing(names, (name) => [...grounds, name.replace('-text', '-soft')], 4.5)).toEqual([]);
    expect(failing(['pos-text', 'neg-text'], () => grounds, 4.5)).toEqual([]);
    expect(failing(['on-accent'], () => ['accent'], 4.5)).toEqual([]);
  });

  it('shapes stand out from their ground', () => {
    expect(failing([...meanings, 'accent', 'pos', 'neg'], () => ['panel', 'bg'], 3)).toEqual([]);
  });
});

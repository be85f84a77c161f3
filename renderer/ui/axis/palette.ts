// Colours of canvas lanes, read from the theme's CSS variables, so that a canvas follows the theme like everything else.

import { createRamps, type Ramps } from './ramp.ts';

export interface AxisPalette {
  readonly panel: string;
  readonly sunken: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly muted: string;
  readonly faint: string;
  readonly accent: string;
  readonly exec: string;
  readonly summary: string;
  readonly hack: string;
  readonly pos: string;
  readonly neg: string;
  readonly font: string;
  /** Colours for values, over `sunken`. */
  readonly ramps: Ramps;
}

/** Reads the palette in force. Costs one style computation: call it per theme change, not per frame. */
export function readPalette(element: Element): AxisPalette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    panel: read('--panel'),
    sunken: read('--sunken'),
    line: read('--line'),
    lineStrong: read('--line-strong'),
    muted: read('--fg-muted'),
    faint: read('--fg-faint'),
    accent: read('--accent'),
    exec: read('--exec'),
    summary: read('--summary'),
    hack: read('--hack'),
    pos: read('--pos'),
    neg: read('--neg'),
    font: `500 10px ${read('--font-mono')}`,
    ramps: createRamps(read('--sunken'), read('--neg'), read('--pos')),
  };
}

/** Calls back when the theme changes: by the attribute on the root element or by the system's setting. */
export function onThemeChange(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
  const media = window.matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', callback);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', callback);
  };
}

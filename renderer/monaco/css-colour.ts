// Colours of theme.css as #rrggbb, for libraries that do not know CSS variables or oklch.

/** Resolves custom properties of the document now; the result looks them up by name. */
export function readTokens<const Names extends readonly string[]>(names: Names): (name: Names[number]) => string {
  const style = getComputedStyle(document.documentElement);
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const colours = new Map<string, string>();
  for (const name of names) {
    if (context === null) break;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = style.getPropertyValue(`--${name}`);
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    colours.set(name, `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`);
  }
  return (name) => colours.get(name) ?? '#808080';
}

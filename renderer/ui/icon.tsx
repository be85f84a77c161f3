// The icons: strokes on a 20-unit grid, drawn for this project. Decoration only; give the control a name.

const paths = {
  library: 'M3 4.5h14M3 10h14M3 15.5h9',
  filter: 'M3 4h14l-5.2 6.2v6L8.2 14v-3.8z',
  verify: 'M3 16.5V3.5M3 16.5h14M5.5 13c3 0 3.2-6.5 5.5-6.5s2.5 3.5 5.5-1.5',
  agree: 'M8 14.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 14.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z',
  review: 'M3.5 5.5 5 7l2.5-3M3.5 11.5 5 13l2.5-3M10.5 6h6M10.5 12h6M3.5 16.5h13',
  judge: 'M10 3.5v13M6.5 16.5h7M4 6h12M4 6l-2.2 5.2a2.4 2.4 0 0 0 4.4 0zM16 6l-2.2 5.2a2.4 2.4 0 0 0 4.4 0z',
  imports: 'M10 3v9m0 0 3.6-3.6M10 12 6.4 8.4M4 16.5h12',
  settings: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
  search: 'M8.8 14a5.2 5.2 0 1 0 0-10.4 5.2 5.2 0 0 0 0 10.4zM12.6 12.6 17 17',
  close: 'm5.5 5.5 9 9m0-9-9 9',
  chevron: 'm6 8 4 4 4-4',
  right: 'm8 5 5 5-5 5',
  left: 'm12 5-5 5 5 5',
  check: 'm4.5 10.5 3.8 3.8 7.2-8',
  up: 'M10 16V4m0 0L5.5 8.5M10 4l4.5 4.5',
  down: 'M10 4v12m0 0 4.5-4.5M10 16l-4.5-4.5',
  warning: 'M10 3.5 17.5 16.5h-15zM10 8.5v3.6M10 14.2v.2',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9v4.4M10 6.4v.2',
  inspector: 'M3.5 4.5h13v11h-13zM12 4.5v11',
  copy: 'M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z',
  more: 'M5 10h.1M10 10h.1M15 10h.1',
} as const;

export type IconName = keyof typeof paths;

/** An icon, 16 px unless told otherwise. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}

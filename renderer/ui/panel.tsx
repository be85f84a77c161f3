// A panel at the side of the content: resizable by drag or arrow keys, collapsible, remembered under its name.

import { type ReactNode, useState } from 'react';
import { type PanelState, setPreferences, usePreferences } from '../preferences.ts';

/** State of a remembered panel and how to change it. */
export function usePanel(name: string, defaultSize: number): [PanelState, (change: Partial<PanelState>) => void] {
  const state = usePreferences((preferences) => preferences.panels[name]) ?? { size: defaultSize, open: true };
  const change = (next: Partial<PanelState>): void => {
    const { panels } = usePreferences.getState();
    const current = panels[name] ?? { size: defaultSize, open: true };
    setPreferences({ panels: { ...panels, [name]: { ...current, ...next } } });
  };
  return [state, change];
}

const keyStep = 16;

/** The panel; renders nothing while collapsed. Toggle it through `usePanel` with the same name. */
export function Panel(props: {
  readonly name: string;
  readonly label: string;
  readonly side: 'right' | 'left';
  readonly defaultSize: number;
  readonly minSize?: number;
  readonly maxSize?: number;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { minSize = 220, maxSize = 640, side } = props;
  const [state, change] = usePanel(props.name, props.defaultSize);
  const [dragged, setDragged] = useState<number | null>(null);
  if (!state.open) return null;
  const clamp = (size: number): number => Math.round(Math.min(maxSize, Math.max(minSize, size)));
  const size = clamp(dragged ?? state.size);
  const grow = side === 'right' ? -1 : 1;
  return (
    <aside className={`panel ${side} ${props.className ?? ''}`} aria-label={props.label} style={{ width: size }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a focusable separator is the ARIA window splitter; hr cannot be one */}
      <div
        className="panel-handle"
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${props.label.toLowerCase()}`}
        aria-valuenow={size}
        aria-valuemin={minSize}
        aria-valuemax={maxSize}
        tabIndex={0}
        onKeyDown={(event) => {
          const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (direction === 0) return;
          event.preventDefault();
          change({ size: clamp(size + direction * grow * keyStep) });
        }}
        onDoubleClick={() => change({ size: props.defaultSize })}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          const startX = event.clientX;
          const startSize = size;
          const handle = event.currentTarget;
          let last = startSize;
          const move = (moved: PointerEvent): void => {
            last = clamp(startSize + (moved.clientX - startX) * grow);
            setDragged(last);
          };
          const end = (): void => {
            handle.removeEventListener('pointermove', move);
            setDragged(null);
            change({ size: last });
          };
          handle.addEventListener('pointermove', move);
          handle.addEventListener('lostpointercapture', end, { once: true });
        }}
      />
      <div className="panel-content">{props.children}</div>
    </aside>
  );
}

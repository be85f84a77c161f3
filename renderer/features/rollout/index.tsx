// The Rollout screen: one rollout with its token axis, its steps and the inspector. `#/rollout/<id>` shows it.

import { type ReactNode, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useOutline, useRolloutDetail, useRuns, useSeries } from '../../data/rollout.ts';
import { useHello } from '../../data/workspace.ts';
import { formatRoute, lastLibraryRoute } from '../../routes.ts';
import { createAxisStore } from '../../ui/axis/store.ts';
import { Panel } from '../../ui/panel.tsx';
import { Arrival } from './Arrival.tsx';
import { FindBar } from './FindBar.tsx';
import { Header } from './Header.tsx';
import { Inspector } from './Inspector.tsx';
import { LoadFailure, LoadingScreen } from './LoadStates.tsx';
import { Steps } from './Steps.tsx';
import { type Screen, ScreenContext } from './screen-context.ts';
import { createScreenStore, type ScreenStore } from './screen-store.ts';
import { itemAt } from './spans.ts';
import { Timeline } from './Timeline.tsx';
import { type Finding, useFinding } from './use-find.ts';
import { useRolloutActions } from './use-rollout-actions.ts';
import { initialRoute, useRouteSync } from './use-route-sync.ts';
import { useScreenModel } from './use-screen-model.ts';
import './rollout.css';
import './timeline.css';
import './steps.css';
import '../../text/text.css';
import './evidence.css';
import './inspector.css';
import './trainer-check.css';

/** The screen of one rollout. Another rollout is another screen: no state of the old one is left. */
export function RolloutScreen({ id }: { readonly id: string }): ReactNode {
  return <RolloutLoader key={id} id={id} />;
}

function RolloutLoader({ id }: { readonly id: string }): ReactNode {
  const store = useMemo(() => createScreenStore(initialRoute(id)), [id]);
  const detail = useRolloutDetail(id);
  const outline = useOutline(id);
  const runs = useRuns(id);
  const hello = useHello();
  const failed = detail.error ?? outline.error ?? runs.error;
  if (failed !== null && (detail.data === undefined || outline.data === undefined || runs.data === undefined)) {
    return (
      <LoadFailure
        id={id}
        error={failed}
        onRetry={() => {
          for (const query of [detail, outline, runs]) if (query.error !== null) void query.refetch();
        }}
      />
    );
  }
  if (detail.data === undefined || outline.data === undefined || runs.data === undefined)
    return <LoadingScreen id={id} />;
  return (
    <Loaded
      id={id}
      store={store}
      detail={detail.data}
      outline={outline.data}
      runs={runs.data}
      annotator={hello?.annotator ?? ''}
    />
  );
}

type LoadedProps = Omit<Parameters<typeof useScreenModel>[0], 'axis'> & { readonly store: ScreenStore };

function Loaded(props: LoadedProps): ReactNode {
  const axis = useMemo(() => createAxisStore(), []);
  const screen = useScreenModel({ ...props, axis });
  const finding = useFinding(screen);
  const findOpen = useStore(props.store, (state) => state.findOpen);
  useRolloutActions(screen);
  useRouteSync(screen);
  useEffect(() => {
    const before = document.title;
    document.title = `${screen.id} · Rollscope`;
    return () => {
      document.title = before;
    };
  }, [screen.id]);
  const { segments } = screen;
  const largest = useLargest(screen);
  return (
    <ScreenContext.Provider value={screen}>
      <div className="rollout">
        <Arrival />
        <Header />
        <Timeline />
        <div className="rollout-body">
          <div className="rollout-main">
            {findOpen && (
              <FindBar listed={finding.listed} total={finding.total} failed={finding.failed} onMove={finding.move} />
            )}
            {segments.length === 0 ? (
              <NoSegments />
            ) : (
              <HoveredSteps screen={screen} finds={finding.marks} largest={largest} />
            )}
          </div>
          <Panel name="rollout" label="Inspector" side="right" defaultSize={328} minSize={260}>
            <Inspector />
          </Panel>
        </div>
      </div>
    </ScreenContext.Provider>
  );
}

/** The largest |advantage| of what is shown: the full length of the bars beside the steps. */
function useLargest({ id, shown, detail }: Screen): number | null {
  const logged = useSeries(
    id,
    shown.kind === 'logged' ? 'advantages' : null,
    useMemo(() => [{ start: 0, end: detail.axisLength, buckets: 1 }], [detail.axisLength]),
  );
  if (shown.kind === 'logged') return logged.series[0]?.scale ?? null;
  if (shown.kind === 'none') return null;
  const each = shown.run.result.segments.flatMap(({ stats }) => (stats.maxAbs === null ? [] : [stats.maxAbs]));
  return each.length === 0 ? null : Math.max(...each);
}

/** Renders the list again when another item comes under the pointer, not at every token. */
function HoveredSteps(props: {
  readonly screen: Screen;
  readonly finds: Finding['marks'];
  readonly largest: number | null;
}): ReactNode {
  const { axis, spans } = props.screen;
  const hovered = useStore(axis, (state) => (state.hover === null ? null : itemAt(spans, state.hover)));
  return <Steps finds={props.finds} largest={props.largest} hovered={hovered} />;
}

function NoSegments(): ReactNode {
  return (
    <div className="empty">
      <h2>No segments</h2>
      <div className="empty-text">
        The log holds this rollout's outcome but none of its tokens or messages. Its alerts in{' '}
        <a href={formatRoute({ screen: 'imports' })}>Imports</a> say what was left out.
      </div>
      <a href={formatRoute(lastLibraryRoute())}>Back to the library</a>
    </div>
  );
}

// The panel at the right: verdict first, then the evidence for it, then facts about what is selected.

import type { ReactNode } from 'react';
import { GroupPanel } from './GroupPanel.tsx';
import { ItemPanel } from './ItemPanel.tsx';
import { JudgementPanel } from './JudgementPanel.tsx';
import { LabelsPanel } from './LabelsPanel.tsx';
import { MarkerEvidence } from './MarkerEvidence.tsx';
import { MarkersPanel } from './MarkersPanel.tsx';
import { RunPanel } from './RunPanel.tsx';
import { ScorePanel } from './ScorePanel.tsx';
import { SegmentPanel } from './SegmentPanel.tsx';
import { SpanPanel } from './SpanPanel.tsx';
import { useScreen, useScreenState } from './screen-context.ts';
import { TaskContractPanel } from './TaskContractPanel.tsx';
import { TokenPanel } from './TokenPanel.tsx';
import { TrainerCheck } from './TrainerCheck.tsx';
import { VerdictPanel } from './VerdictPanel.tsx';

/** The inspector of the Rollout screen. */
export function Inspector(): ReactNode {
  const { markers } = useScreen();
  const selected = useScreenState((state) => state.marker);
  const marker = markers.find((one) => one.id === selected) ?? null;
  return (
    <div className="rollout-inspector">
      <VerdictPanel marker={marker} />
      <SpanPanel />
      <TokenPanel />
      {marker !== null && <MarkerEvidence key={marker.id} marker={marker} />}
      <JudgementPanel />
      <MarkersPanel />
      <ScorePanel />
      <LabelsPanel />
      <TaskContractPanel />
      <ItemPanel />
      <SegmentPanel />
      <RunPanel />
      <TrainerCheck />
      <GroupPanel />
    </div>
  );
}

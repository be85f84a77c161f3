// A workspace without rollouts: the three ways in, and what is happening while one of them runs.

import { runAction, useActions } from '../../actions.ts';
import { activeJob, useJobs } from '../../data/jobs.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/states.tsx';

/** The empty state of the library. */
export function EmptyWorkspace() {
  const job = activeJob(useJobs());
  // Only here: elsewhere a stray `d` must not add samples to somebody's workspace.
  useActions('library', { demo: { when: () => job === undefined, run: () => void runAction('app.demo') } });
  if (job !== undefined) {
    return (
      <EmptyState title={job.title}>
        <Spinner label={job.phase} /> <span>{job.phase}</span>
        <p>Rollouts appear here as they come in.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="imports"
      title="Drop a file or folder"
      actions={
        <>
          <Button variant="primary" shortcut="D" onClick={() => runAction('app.demo')}>
            Open demo
          </Button>
          <Button onClick={() => runAction('app.importPath')}>Paste a path</Button>
          <Button onClick={() => runAction('app.import')}>Import…</Button>
        </>
      }
    >
      <p>
        Dumps of RL trainers, logs of agent harnesses and chat rows are recognised from their content. Nothing leaves
        this machine.
      </p>
    </EmptyState>
  );
}

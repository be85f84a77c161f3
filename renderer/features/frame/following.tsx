// What is followed, in the status bar; and what was followed when the program ended, to be followed again.

import type { InterruptedJob, JobState } from '../../../app/contract/index.ts';
import { useInterruptedFollowings, useJobControl } from '../../data/jobs.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';

/** A following between its rounds. */
export function Following({ jobs }: { readonly jobs: readonly JobState[] }) {
  const { cancel } = useJobControl();
  const [job] = jobs;
  if (job === undefined) return null;
  return (
    <>
      <Icon name="imports" size={13} />
      <span className="ellipsis">
        {job.title}
        {job.phase === 'following' && <span className="faint"> · {plural(job.done, 'file')}</span>}
        {job.rows > 0 && <span className="faint"> · {plural(job.rows, 'rollout')} came</span>}
        {jobs.length > 1 && <span className="faint"> · and {plural(jobs.length - 1, 'other')}</span>}
      </span>
      <Button
        variant="quiet"
        className="status-button"
        onClick={() => void cancel(job.id)}
        aria-label={`Stop ${job.title.replace(/^F/u, 'f')}`}
      >
        Stop
      </Button>
    </>
  );
}

/** The newest following that ended with the program; null when there is none. */
export function useInterruptedFollowing(): InterruptedJob | null {
  return useInterruptedFollowings()[0] ?? null;
}

/** Offers to follow again what was followed when the program ended. */
export function FollowAgain({ job }: { readonly job: InterruptedJob }) {
  const { start, dismiss } = useJobControl();
  return (
    <>
      <span className="ellipsis">{job.title} was interrupted</span>
      <Button variant="quiet" className="status-button" onClick={() => void start(job.request)}>
        Follow again
      </Button>
      <Button variant="quiet" className="status-button" onClick={() => void dismiss(job.id)}>
        Dismiss
      </Button>
    </>
  );
}

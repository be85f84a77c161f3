// The demo's ATIF trial with a handoff. Own texts.

type Line = Readonly<Record<string, unknown>>;

const ids = (start: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => 900 + ((start * 131 + i * 37) % 3_000));
const logprobs = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => -Math.round((0.02 + ((i * 7) % 11) / 40) * 1e4) / 1e4);

function agentStep(
  step: number,
  message: string,
  keystrokes: string | null,
  observation: string | null,
  prompt: number,
  completion: number,
): Line {
  return {
    step_id: step,
    source: 'agent',
    model_name: 'demo-policy-7b',
    message,
    ...(keystrokes === null
      ? {}
      : {
          tool_calls: [
            { tool_call_id: `call_${step}`, function_name: 'bash_command', arguments: { keystrokes, duration: 0.5 } },
          ],
        }),
    ...(observation === null ? {} : { observation: { results: [{ content: observation }] } }),
    metrics: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      prompt_token_ids: ids(1, prompt),
      completion_token_ids: ids(step + 3, completion),
      logprobs: logprobs(completion),
    },
  };
}

/** The main file of an ATIF trial with one handoff. */
export function atifMain(): Line {
  return {
    schema_version: 'ATIF-v1.5',
    session_id: 'trial-archive-rotation',
    agent: { name: 'terminus-2', version: '2.0.0', model_name: 'demo-policy-7b' },
    steps: [
      {
        step_id: 1,
        source: 'user',
        message:
          'Write /srv/rotate.sh: keep the seven newest archives in /srv/backups and delete the others. It must not fail when there are fewer than seven.',
      },
      agentStep(
        2,
        'Look at the folder first.',
        'ls -t /srv/backups | head\n',
        'db-2026-10-09.tar.gz\ndb-2026-10-08.tar.gz\ndb-2026-10-07.tar.gz',
        120,
        24,
      ),
      agentStep(
        3,
        'Names sort by date, so a plain listing by time will do.',
        'cat > /srv/rotate.sh <<\'EOF\'\n#!/bin/sh\nset -eu\ncd /srv/backups\nls -t | tail -n +8 | while read -r name; do rm -- "$name"; done\nEOF\nchmod +x /srv/rotate.sh\n',
        '',
        168,
        62,
      ),
      {
        step_id: 4,
        source: 'system',
        message: 'Performed context summarization and handoff to continue task.',
        observation: {
          results: [
            {
              subagent_trajectory_ref: [
                {
                  session_id: 'trial-archive-rotation-summarization-1-summary',
                  trajectory_path: 'trajectory.summarization-1-summary.json',
                },
              ],
            },
          ],
        },
      },
      {
        step_id: 5,
        source: 'user',
        message:
          'Summary of the work so far: /srv/rotate.sh lists by time, keeps seven, removes the rest. It was not run yet. Check the case of fewer than seven archives.',
      },
      agentStep(
        6,
        'Run it with three archives.',
        '/srv/rotate.sh; echo "exit $?"; ls /srv/backups | wc -l\n',
        'exit 0\n3',
        140,
        31,
      ),
      agentStep(7, 'Three archives stay, exit 0. Done.', null, null, 190, 14),
    ],
    final_metrics: { total_prompt_tokens: 618, total_completion_tokens: 131 },
  };
}

/** The file of the call that wrote the handoff's summary. */
export function atifSummary(): Line {
  return {
    schema_version: 'ATIF-v1.5',
    session_id: 'trial-archive-rotation-summarization-1-summary',
    agent: { name: 'terminus-2-summarization-summary', version: '2.0.0', model_name: 'demo-policy-7b' },
    steps: [
      {
        step_id: 1,
        source: 'user',
        message:
          'Write /srv/rotate.sh: keep the seven newest archives in /srv/backups and delete the others. It must not fail when there are fewer than seven.',
        is_copied_context: true,
      },
      { step_id: 2, source: 'user', message: 'Summarise the work so far for the agent that takes over.' },
      agentStep(
        3,
        '/srv/rotate.sh lists by time, keeps seven, removes the rest. It was not run yet. Check the case of fewer than seven archives.',
        null,
        null,
        232,
        33,
      ),
    ],
  };
}

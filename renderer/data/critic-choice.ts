// Where critic values come from, as text: what stands in the URL and, but for joined files, what the command line takes.

import type { CriticStandIn } from '../../app/contract/index.ts';

/** `none`, `group-mean`, `constant:0.5` or `file:ID`; undefined for the logged values. */
export function formatCritic(critic: CriticStandIn): string | undefined {
  switch (critic.kind) {
    case 'logged':
      return undefined;
    case 'none':
    case 'group-mean':
      return critic.kind;
    case 'constant':
      return `constant:${critic.value}`;
    case 'file':
      return `file:${critic.values}`;
  }
}

/** The critic of a text; the logged values for none and for what is not understood. */
export function parseCritic(text: string | undefined): CriticStandIn {
  if (text === 'none' || text === 'group-mean') return { kind: text };
  const [, kind, rest = ''] = /^(constant|file):(.+)$/su.exec(text ?? '') ?? [];
  if (kind === 'file') return { kind, values: rest };
  const value = Number(rest);
  return kind === 'constant' && rest.trim() !== '' && Number.isFinite(value) ? { kind, value } : { kind: 'logged' };
}

// The tokenizer file of the workspace. Where the host has roots, the file must lie in one of them, like an import.

import { Refusal } from '../../shared/errors.ts';
import { tokenizerKey } from '../advantages/token-texts.ts';
import { filesInside } from '../imports/follow-watch.ts';
import type { Procedures } from './base.ts';

export function tokenizerProcedures({ base, writable, services }: Procedures) {
  const { work, writer } = services.threads;
  return {
    get: base.tokenizer.get.handler(() => work.call('tokenizer', {})),
    set: writable.tokenizer.set.handler(async ({ input: { path } }) => {
      if (path !== null) await checkTokenizer(path);
      await writer.call('setSetting', { key: tokenizerKey, value: path ?? '' });
      return work.call('tokenizer', {});
    }),
  };

  /** Reads the file before it is remembered. */
  async function checkTokenizer(path: string): Promise<void> {
    const roots = services.options.roots ?? null;
    if ((await filesInside([path], roots)).length === 0) {
      throw new Refusal(
        'outside-roots',
        `This host may not read ${path}.`,
        `It may read ${roots?.join(', ') ?? ''}. Start it with a further --root to allow more.`,
      );
    }
    const { problem } = await work.call('tokenizer', { path });
    if (problem !== null)
      throw new Refusal('tokenizer-invalid', problem, 'Choose the tokenizer.json of the model that wrote the log.');
  }
}

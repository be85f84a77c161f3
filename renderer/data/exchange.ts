// Labels in and out: the ledger as a file of the person's own, and what somebody who worked apart brings.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LabelFile, TakenIn } from '../../app/contract/index.ts';
import { useApi } from './api.ts';
import { saveFile } from './save-file.ts';

export interface SavedFile {
  readonly name: string;
  readonly rows: number;
  readonly masked: number;
  readonly bytes: number;
  readonly sha256: string;
}

const endings = { jsonl: 'labels.jsonl', csv: 'labels.csv', labelled: 'labelled.jsonl' } as const satisfies Record<
  LabelFile,
  string
>;

/** Writes labels as a file and hands it to the browser (or the desktop) to save. */
export function useLabelExport(workspace: string) {
  const { client } = useApi();
  return useMutation<SavedFile, Error, LabelFile>({
    mutationFn: async (as) => {
      const texts: string[] = [];
      for await (const piece of await client.exchange.exportLabels({ as })) {
        if (piece.type === 'text') {
          texts.push(piece.text);
          continue;
        }
        const name = `${workspace}-${endings[as]}`;
        saveFile(new Blob(texts, { type: as === 'csv' ? 'text/csv' : 'application/jsonl' }), name);
        const { rows, masked, bytes, sha256 } = piece;
        return { name, rows, masked, bytes, sha256 };
      }
      throw new Error('The export ended before it was whole; nothing was saved.');
    },
  });
}

/** A path of the host, or a file of the person's own machine that is brought there first. */
export type Source = { readonly path: string } | { readonly file: File };

/** Takes in another workspace's review, or a file of labels. */
export function useTakeIn() {
  const { client, query, connection } = useApi();
  const cache = useQueryClient();
  return useMutation<TakenIn, Error, Source>({
    mutationFn: async (source) => {
      const path =
        'path' in source
          ? source.path
          : (connection.desktop?.pathOf(source.file) ?? (await connection.upload(source.file, () => undefined)));
      return client.exchange.takeIn({ path });
    },
    onSuccess: async () => {
      for (const key of [query.review.key(), query.schemas.key(), query.annotators.key()]) {
        await cache.invalidateQueries({ queryKey: key });
      }
    },
  });
}

// The judge: its settings, consent, prompts, what it would send, and what it said. Asking it is a job.

import { exportJudgementFile } from '../export-stream.ts';
import { previewJudge } from '../judge/judge-job.ts';
import {
  allPrompts,
  currentPrompt,
  judgeState,
  saveConsent,
  savePrompt,
  saveSettings,
} from '../judge/judge-settings.ts';
import type { Procedures } from './base.ts';

/** The handlers of `judge`. */
export function judgeProcedures({ base, writable, services }: Procedures) {
  const { screen } = services.threads;
  return {
    state: base.judge.state.handler(() => judgeState(services)),
    setSettings: writable.judge.setSettings.handler(async ({ input }) => {
      await saveSettings(services, input);
      return judgeState(services);
    }),
    setKey: writable.judge.setKey.handler(({ input }) => {
      services.judgeKey.give(input.key);
      return judgeState(services);
    }),
    setConsent: writable.judge.setConsent.handler(async ({ input, context }) => {
      await saveConsent(services, input.endpoint, context.me.annotator);
      return judgeState(services);
    }),
    preview: base.judge.preview.handler(({ input }) => {
      const { settings, ...select } = input;
      return previewJudge(services, select, settings);
    }),
    prompts: base.judge.prompts.handler(() => allPrompts(services)),
    savePrompt: writable.judge.savePrompt.handler(({ input, context }) =>
      savePrompt(services, { ...input, author: context.me.annotator }),
    ),
    of: base.judge.of.handler(async ({ input }) => {
      const { text } = await currentPrompt(services);
      return screen.call('judgementsOf', { rollout: input.rollout, prompt: text });
    }),
    history: base.judge.history.handler(async ({ input }) => {
      const { text } = await currentPrompt(services);
      return screen.call('judgementHistory', { marker: input.marker, prompt: text });
    }),
    exportJudgements: base.judge.exportJudgements.handler(({ input }) =>
      exportJudgementFile(services.threads, input.as),
    ),
  };
}

// The editor of the judge's prompt over Monaco, alone or beside the shipped text. Loaded when it is first shown: import it only by
// `import('…/monaco/prompt-editor.ts')`.

import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/markdown/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { followTheme, sharedOptions } from './yaml-view.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

export interface PromptEditor {
  setText(text: string): void;
  dispose(): void;
}

/** Puts an editor of `text` into an element; with `shipped`, beside that text and with their difference marked. */
export function createPromptEditor(
  element: HTMLElement,
  given: { readonly text: string; readonly shipped: string | null; readonly readOnly: boolean; readonly label: string },
  onChange: (text: string) => void,
): PromptEditor {
  const unfollow = followTheme();
  const model = monaco.editor.createModel(given.text, 'markdown');
  const options = {
    ...sharedOptions(),
    ariaLabel: given.label,
    readOnly: given.readOnly,
    wordWrap: 'on',
    lineNumbers: 'on',
  } as const;
  const listening = model.onDidChangeContent(() => onChange(model.getValue()));
  const dispose: (() => void)[] = [unfollow, () => listening.dispose()];
  if (given.shipped === null) {
    const editor = monaco.editor.create(element, { ...options, model });
    dispose.push(() => editor.dispose());
  } else {
    const original = monaco.editor.createModel(given.shipped, 'markdown');
    const editor = monaco.editor.createDiffEditor(element, {
      ...options,
      originalEditable: false,
      renderSideBySide: true,
      renderOverviewRuler: false,
      useInlineViewWhenSpaceIsLimited: false,
      diffWordWrap: 'on',
    });
    editor.setModel({ original, modified: model });
    dispose.push(
      () => editor.dispose(),
      () => original.dispose(),
    );
  }
  dispose.push(() => model.dispose());
  return {
    setText(next) {
      if (next !== model.getValue()) model.setValue(next);
    },
    dispose() {
      for (const one of dispose) one();
    },
  };
}

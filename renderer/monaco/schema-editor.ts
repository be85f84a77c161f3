// The editor of a label schema over Monaco, alone or beside another version, with problems at their lines. Loaded when it is
// first shown: import it only by `import('…/monaco/schema-editor.ts')`.

import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/yaml/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { followTheme, sharedOptions } from './yaml-view.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

export interface SchemaEditor {
  setText(text: string): void;
  /** Underlines the lines of problems; those without a line stand at the first. */
  setProblems(problems: readonly { readonly line: number | null; readonly message: string }[]): void;
  /** Puts the cursor on a line, from 1, and the focus into the text. */
  goToLine(line: number): void;
  focus(): void;
  dispose(): void;
}

/** Puts an editor of `text` into an element; with `beside`, next to that text and with their difference marked. */
export function createSchemaEditor(
  element: HTMLElement,
  given: {
    readonly text: string;
    readonly beside: string | null;
    readonly readOnly: boolean;
    readonly label: string;
    readonly besideLabel: string;
  },
  onChange: (text: string) => void,
): SchemaEditor {
  const unfollow = followTheme();
  const model = monaco.editor.createModel(given.text, 'yaml');
  const options = {
    ...sharedOptions(),
    ariaLabel: given.label,
    readOnly: given.readOnly,
    lineNumbers: 'on',
    tabSize: 2,
    insertSpaces: true,
    guides: { indentation: true },
  } as const;
  const listening = model.onDidChangeContent(() => onChange(model.getValue()));
  const dispose: (() => void)[] = [unfollow, () => listening.dispose()];
  let editor: monaco.editor.ICodeEditor;
  if (given.beside === null) {
    const plain = monaco.editor.create(element, { ...options, model, glyphMargin: false });
    dispose.push(() => plain.dispose());
    editor = plain;
  } else {
    const original = monaco.editor.createModel(given.beside, 'yaml');
    const both = monaco.editor.createDiffEditor(element, {
      ...options,
      originalAriaLabel: given.besideLabel,
      modifiedAriaLabel: given.label,
      originalEditable: false,
      renderSideBySide: true,
      renderOverviewRuler: false,
      useInlineViewWhenSpaceIsLimited: true,
      hideUnchangedRegions: { enabled: true },
    });
    both.setModel({ original, modified: model });
    dispose.push(
      () => both.dispose(),
      () => original.dispose(),
    );
    editor = both.getModifiedEditor();
  }
  dispose.push(() => model.dispose());
  return {
    setText(next) {
      if (next !== model.getValue()) model.setValue(next);
    },
    setProblems(problems) {
      const markers = problems.map(({ line, message }) => {
        const at = Math.min(Math.max(1, line ?? 1), model.getLineCount());
        return {
          severity: monaco.MarkerSeverity.Error,
          message,
          startLineNumber: at,
          startColumn: model.getLineFirstNonWhitespaceColumn(at) || 1,
          endLineNumber: at,
          endColumn: model.getLineMaxColumn(at),
        };
      });
      monaco.editor.setModelMarkers(model, 'label-schema', markers);
    },
    goToLine(line) {
      editor.setPosition({ lineNumber: line, column: 1 });
      editor.revealLineInCenter(line);
      editor.focus();
    },
    focus: () => editor.focus(),
    dispose() {
      for (const one of dispose) one();
    },
  };
}

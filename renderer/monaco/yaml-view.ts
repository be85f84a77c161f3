// The editor of a rule pack over Monaco. This module and all of Monaco are loaded when an editor is first shown, never
// before: import it only by `import('…/monaco/yaml-view.ts')`.

import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/stickyScroll/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/yaml/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { readTokens } from './css-colour.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

/** Something wrong with the text; on its first line where no line is known. */
export interface YamlProblem {
  readonly line: number | null;
  readonly message: string;
}

export interface YamlEditor {
  setText(text: string): void;
  /** Underlines these lines with what is wrong. */
  setProblems(problems: readonly YamlProblem[]): void;
  /** Brings a line into view and puts the cursor there. */
  goTo(line: number): void;
  dispose(): void;
}

/** Puts an editor of `text` into an element and keeps its colours with the theme of the document. */
export function createYamlEditor(
  element: HTMLElement,
  given: { readonly text: string; readonly label: string; readonly readOnly: boolean },
  onChange: (text: string) => void,
): YamlEditor {
  const unfollow = followTheme();
  const model = monaco.editor.createModel(given.text, 'yaml');
  const listening = model.onDidChangeContent(() => onChange(model.getValue()));
  const editor = monaco.editor.create(element, {
    ...sharedOptions(),
    model,
    readOnly: given.readOnly,
    domReadOnly: given.readOnly,
    ariaLabel: given.label,
    // Dimmed, the number of an empty last line is below AA contrast.
    renderFinalNewline: 'on',
    stickyScroll: { enabled: true, maxLineCount: 2 },
    guides: { indentation: true },
  });
  return {
    setText(next) {
      if (next !== model.getValue()) model.setValue(next);
    },
    setProblems(problems) {
      monaco.editor.setModelMarkers(
        model,
        'pack',
        problems.map(({ line, message }) => {
          const at = Math.min(Math.max(1, line ?? 1), model.getLineCount());
          return {
            severity: monaco.MarkerSeverity.Error,
            message,
            startLineNumber: at,
            endLineNumber: at,
            startColumn: model.getLineFirstNonWhitespaceColumn(at) || 1,
            endColumn: model.getLineMaxColumn(at),
          };
        }),
      );
    },
    goTo(line) {
      editor.revealLineInCenter(line);
      editor.setPosition({ lineNumber: line, column: 1 });
      editor.focus();
    },
    dispose() {
      unfollow();
      listening.dispose();
      editor.dispose();
      model.dispose();
    },
  };
}

const themeName = 'rollscope';

/** What all editors of the app have in common. */
export function sharedOptions() {
  return {
    theme: themeName,
    automaticLayout: true,
    links: false,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
    fontSize: 12,
    lineHeight: 19,
    fontLigatures: false,
    renderLineHighlight: 'none',
    overviewRulerLanes: 0,
    // Brackets of regular expressions are not the structure of the file.
    bracketPairColorization: { enabled: false },
    padding: { top: 8, bottom: 8 },
    tabFocusMode: true,
    unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true },
  } as const;
}

/** Keeps the colours of all editors with the theme of the document; gives what ends that. */
export function followTheme(): () => void {
  defineTheme();
  // The variable font may come after the first measurement of its characters.
  void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
  const observer = new MutationObserver(defineTheme);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** Monaco takes only #rrggbb, so the tokens of theme.css are resolved by the browser first. */
function defineTheme(): void {
  const dark = document.documentElement.dataset.theme === 'dark';
  const colour = readTokens([
    'panel',
    'fg',
    'fg-muted',
    'fg-faint',
    'line',
    'selected',
    'accent',
    'accent-text',
    'clean-text',
    'summary-text',
    'exec-text',
    'hack-text',
  ]);
  const bare = (name: Parameters<typeof colour>[0]): string => colour(name).slice(1);
  monaco.editor.defineTheme(themeName, {
    base: dark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: bare('fg') },
      { token: 'type.yaml', foreground: bare('accent-text') },
      { token: 'string.yaml', foreground: bare('clean-text') },
      { token: 'number.yaml', foreground: bare('summary-text') },
      { token: 'keyword.yaml', foreground: bare('exec-text') },
      { token: 'keyword.md', foreground: bare('accent-text') },
      { token: 'comment.yaml', foreground: bare('fg-faint'), fontStyle: 'italic' },
    ],
    colors: {
      'editor.background': colour('panel'),
      'editor.foreground': colour('fg'),
      'editorLineNumber.foreground': colour('fg-faint'),
      'editorLineNumber.activeForeground': colour('fg-muted'),
      'editor.selectionBackground': colour('selected'),
      'editorIndentGuide.background1': colour('line'),
      'editorStickyScroll.background': colour('panel'),
      'editorWidget.background': colour('panel'),
      'editorWidget.border': colour('line'),
      focusBorder: colour('accent'),
    },
  });
  monaco.editor.setTheme(themeName);
}

/** CodeMirror, loaded with the first artifact whose code is looked at. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'

export interface EditorOptions {
  readonly text: string
  /** The name of the field, for screen readers. */
  readonly label: string
  readonly language: string
  readonly hint: string | null
  /** null: it is read and not changed. */
  readonly onChange: ((text: string) => void) | null
  readonly onSave: () => void
  /** What it was before: the difference is shown. */
  readonly original: string | null
}

export interface Editor {
  /** What came from elsewhere stands in the place of what is there. */
  setText(text: string): void
  destroy(): void
}

const languages: Readonly<Record<string, () => Extension>> = {
  html: () => html(),
  svg: () => html(),
  xml: () => html(),
  react: () => javascript({ jsx: true, typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  jsx: () => javascript({ jsx: true }),
  typescript: () => javascript({ typescript: true }),
  ts: () => javascript({ typescript: true }),
  javascript: () => javascript(),
  js: () => javascript(),
  json: () => json(),
  chart: () => json(),
  markdown: () => markdown(),
  css: () => css(),
}

/** Puts an editor (CodeMirror) into `parent`; whoever mounts it destroys it. */
export function mountEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const { text, label, language, hint, onChange, onSave, original } = options
  let isOurs = false
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(classHighlighter),
        languages[language]?.() ?? [],
        hint === null ? [] : placeholder(hint),
        original === null ? [] : unifiedMergeView({ original, mergeControls: false, gutter: true }),
        EditorState.readOnly.of(onChange === null),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          dir: 'ltr',
          spellcheck: 'false',
          ...(onChange === null ? { 'aria-readonly': 'true' } : {}),
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) onChange?.(update.state.doc.toString())
        }),
        // Tab goes on to what follows, as everywhere.
        keymap.of([
          { key: 'Mod-s', preventDefault: true, run: () => (onSave(), true) },
          ...historyKeymap,
          ...defaultKeymap,
        ]),
      ],
    }),
  })
  return {
    setText(now) {
      if (now === view.state.doc.toString()) return
      isOurs = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } })
      isOurs = false
    },
    destroy: () => view.destroy(),
  }
}

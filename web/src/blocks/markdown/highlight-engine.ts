/** Shiki, loaded with the first code block; each language is loaded when it is first met. */
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { grammarOf } from './grammars.ts'

export interface CodeToken {
  readonly text: string
  /** `keyword`, `string`, …; null for plain text. */
  readonly kind: string | null
}

const theme = createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--tok-' })
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})
const grammars = new Map<string, Promise<unknown>>()

/** The pieces of every line; null when the language cannot be loaded. */
export async function highlight(code: string, language: string): Promise<CodeToken[][] | null> {
  const grammar = grammarOf(language)
  if (!grammar) return null
  const shiki = await highlighter
  let loading = grammars.get(grammar.name)
  if (!loading) {
    loading = grammar.load().then((found) => shiki.loadLanguage(found.default))
    grammars.set(grammar.name, loading)
  }
  try {
    await loading
  } catch {
    // Offline: the code stays plain, and the next block of this language tries again.
    grammars.delete(grammar.name)
    return null
  }
  const { tokens } = shiki.codeToTokens(code, { lang: grammar.name, theme: 'css-variables', tokenizeTimeLimit: 200 })
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })))
}

/** `var(--tok-token-keyword)` → `keyword` */
const kindOf = (color: string | undefined) => /--tok-token-([a-z-]+)\)/.exec(color ?? '')?.[1] ?? null

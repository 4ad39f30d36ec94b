/** Markdown to tokens: marked's lexer, with mathematics added. */
import { Marked, type Links, type Token, type TokenizerAndRendererExtension } from 'marked'

export type { Links, Token, Tokens } from 'marked'

/** A formula. `closed` is false while its end has not been written yet. */
export interface MathToken {
  type: 'math' | 'math-block'
  raw: string
  text: string
  display: boolean
  closed: boolean
}

/** The tokens of a text, and the link definitions found in it (together with those given). */
export function lex(text: string, links: Links, openEnded: boolean): { tokens: Token[]; links: Links } {
  const lexer = new (openEnded ? streaming : settled).Lexer({ ...(openEnded ? streaming : settled).defaults })
  Object.assign(lexer.tokens.links, links)
  const tokens = lexer.lex(text)
  return { tokens: [...tokens], links: tokens.links }
}

/** A `$$` or `\[` that starts a line opens a block; while text still arrives, it may lack its end. */
function mathBlock(openEnded: boolean): TokenizerAndRendererExtension {
  return {
    name: 'math-block',
    level: 'block',
    start(src) {
      const end = src.indexOf('\n\n')
      return (end < 0 ? src : src.slice(0, end)).match(/\n {0,3}(?:\$\$|\\\[)/)?.index
    },
    tokenizer(src) {
      if (!/^ {0,3}(?:\$\$|\\\[)/.test(src)) return undefined
      const whole = /^ {0,3}(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/.exec(src)
      if (whole) return token('math-block', whole[0], whole[1] ?? whole[2] ?? '', true)
      const opening = /^ {0,3}(\$\$|\\\[)/.exec(src)?.[1]
      if (!openEnded || src.trimStart().indexOf(opening === '$$' ? '$$' : '\\]', 2) >= 0) return undefined
      return token('math-block', src, src.trimStart().slice(2), true, false)
    },
  }
}

const mathInline: TokenizerAndRendererExtension = {
  name: 'math',
  level: 'inline',
  start: (src) => src.match(/\$|\\\(|\\\[/)?.index,
  tokenizer(src) {
    const display = /^(?:\$\$((?:\\.|[^\\$])+?)\$\$|\\\[([\s\S]+?)\\\])/.exec(src)
    if (display) return token('math', display[0], display[1] ?? display[2] ?? '', true)
    // As in Pandoc: no space inside the dollars, and no digit after the last one, so that prices stay prices.
    const inline = /^(?:\$(?![\s$])((?:\\.|[^\\$\n])*?(?:\\.|[^\\$\s]))\$(?!\d)|\\\(([\s\S]+?)\\\))/.exec(src)
    return inline ? token('math', inline[0], inline[1] ?? inline[2] ?? '', false) : undefined
  },
}

function token(type: MathToken['type'], raw: string, text: string, display: boolean, closed = true): MathToken {
  return { type, raw, text: text.trim(), display, closed }
}

const settled = new Marked({ gfm: true, extensions: [mathBlock(false), mathInline] })
const streaming = new Marked({ gfm: true, extensions: [mathBlock(true), mathInline] })

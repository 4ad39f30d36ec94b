/**
 * The description of a diagram without addresses: whatever Mermaid would load while it draws, or link to, is taken out
 * before it sees it. An answer can be steered by what its model has read, and an address that loads by itself would
 * carry words of the chat away.
 */
interface PlainSource {
  readonly source: string
  /** Whether pictures, links or addresses in styles were taken out. */
  readonly lost: boolean
}

/** Takes the addresses out of a Mermaid description. Pure; linear in its length. */
export function withoutAddresses(written: string): PlainSource {
  let lost = false
  const drop = (kept = '') => {
    lost = true
    return kept
  }
  const source = withoutSettings(written, (settings) => {
    if (addressLike.test(settings)) lost = true
  })
    .replace(/@\{(?:"[^"]*"|[^"}])*\}?/g, (data) => {
      const plain = plainShape(data)
      return plain === data ? data : drop(plain)
    })
    .split('\n')
    .map((line) => {
      if (/^\s*(?:click|callback)\s/.test(line)) return drop()
      if (/^\s*links?\s+[^:"]+(?::.*(?:@|\{)|\s").*$/.test(line)) return drop()
      if (/^\s*(?:style|classDef|linkStyle)\s/.test(line)) return plainStyle(line, drop)
      return line
        .replace(loadingTag, () => drop())
        .replace(/\$(?:link|sprite)\s*=\s*"[^"]*"/gi, () => drop('$tags=""'))
        .replace(loadingFunction, (_, name: string) => drop(`${name}\u200b(`))
    })
    .join('\n')
  return { source, lost }
}

/** Settings of a diagram (`%%{init: …}%%`, front matter) can hold styles and fonts; of them only the title stays. */
function withoutSettings(written: string, onLost: (settings: string) => void): string {
  const open = written.replace(/%%\{[\s\S]*?\}%%/g, (directive) => {
    onLost(directive)
    return ''
  })
  const front = /^\s*---[ \t]*\n([\s\S]*?)\n[ \t]*---[ \t]*(?:\n|$)/.exec(open)
  if (!front) return open
  onLost(front[1] ?? '')
  const title = /^title:[ \t]*([^\n&*!|>\\]*)$/m.exec(front[1] ?? '')?.[1]
  const rest = open.slice(front[0].length)
  return title ? `---\ntitle: ${title}\n---\n${rest}` : rest
}

/** `@{ shape: …, img: … }` is YAML: what could spell a key or a value otherwise goes, and then the picture. */
function plainShape(data: string): string {
  const plain = data
    .split(/("[^"]*"|'[^'\n]*')/)
    .map((part, index) => part.replace(index % 2 === 1 ? /\\/g : /[\\&*!?<]/g, ''))
    .join('')
  // Where something was spelt otherwise, nothing that could be an address is left at all.
  const safe = plain === data ? plain : plain.replace(/(?:\w+:)?\/[^\s"',}]*/g, '')
  return safe
    .replace(/["']?\bimg\b["']?\s*:\s*(?:"[^"]*"|'[^']*'|[^,}\n]*)/gi, 'left-out: 0')
    .replace(loadingFunction, '$1 (')
}

/** Declarations of a style that call anything but a colour are left out, as are escapes that could spell a call. */
function plainStyle(text: string, drop: (kept?: string) => string): string {
  const [head = '', ...more] = text.split(/(?=[\s,;][\w-]+\s*:)/)
  const kept = [head, ...more].filter((part) => !/\\|@/.test(part) && !calls(part))
  if (kept.length === more.length + 1) return text
  // A style without declarations would be an error.
  return drop(kept.length > 1 ? kept.join('') : '')
}

const calls = (part: string): boolean =>
  [...part.matchAll(/([^\s:,(]*)\s*\(/g)].some(([, name = '']) => !/^(?:rgb|hsl)a?$/i.test(name))

const addressLike = /url\s*\(|\/\/|@import|data:|\\/i
const loadingFunction = /\b(url|image-set|image|cross-fade|src|element)\s*\(/gi
const loadingTag =
  /<\s*\/?\s*(?:img|image|picture|source|video|audio|track|object|embed|iframe|frame|link|style|svg|use|feimage|script|base|meta|input|a)\b[^>]*>?/gi

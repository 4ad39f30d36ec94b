/** Some models write their reasoning into the text, between `<think>` tags. This takes it out again. */
import type { Part } from '../types.ts'

const open = '<think>'
const closing = '</think>'
/** Models write a line end or two before the tag. */
const longestLead = 1000

export interface ThinkTags {
  push(delta: string): Part[]
  /** What was held back because it might have become a tag. */
  end(): Part[]
}

/** Tags count only at the very beginning of the answer, so that an answer about the tags stays whole. */
export function createThinkTags(): ThinkTags {
  let state: 'start' | 'inside' | 'after' | 'text' = 'start'
  let held = ''
  let begun = false

  const push = (delta: string): Part[] => {
    if (state === 'text') return text(delta)
    held += delta
    const parts: Part[] = []
    if (state === 'start') {
      const begin = held.trimStart()
      // White space before it is given up once it is long: an answer of nothing else would be looked at again for each piece.
      if (open.startsWith(begin) && held.length <= longestLead) return parts
      if (!begin.startsWith(open)) return plain()
      state = 'inside'
      held = begin.slice(open.length)
    }
    if (state === 'inside') {
      if (!begun) held = held.trimStart()
      const at = held.indexOf(closing)
      if (at < 0) {
        const keep = tailThatMayGrow(held, closing)
        begun ||= held.length > keep
        parts.push(...reasoning(held.slice(0, held.length - keep)))
        held = held.slice(held.length - keep)
        return parts
      }
      parts.push(...reasoning(held.slice(0, at)))
      held = held.slice(at + closing.length)
      state = 'after'
    }
    // White space between the reasoning and the answer belongs to neither.
    held = held.trimStart()
    return held === '' ? parts : [...parts, ...plain()]
  }

  const plain = (): Part[] => {
    state = 'text'
    const all = held
    held = ''
    return text(all)
  }

  return { push, end: () => (state === 'inside' ? reasoning(held) : state === 'after' ? [] : plain()) }
}

/** How many characters at the end may be the beginning of the tag. */
function tailThatMayGrow(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}

const text = (delta: string): Part[] => (delta === '' ? [] : [{ type: 'text', delta }])
const reasoning = (delta: string): Part[] => (delta === '' ? [] : [{ type: 'reasoning', delta }])

/** The words of an agent as parts of an answer, with blank lines between their paragraphs. */
import { createHarmlessText } from '../../providers/harmless-text.ts'
import type { Part } from '../../providers/types.ts'

export const createParagraphs = (type: 'text' | 'reasoning') => {
  const sound = createHarmlessText()
  /** The last of the words; empty before the first. */
  let last = ''
  let isBroken = false
  const write = (delta: string): Part[] => (delta === '' ? [] : [{ type, delta }])
  return {
    /** `whole`: they are a paragraph of their own. */
    push(words: string, whole = false): Part[] {
      if (words === '') return []
      // Agents that break their lines themselves need no blank line more.
      const isApart = last === '' || last === '\n\n' || words.startsWith('\n\n')
      const gap = !isApart && (whole || isBroken) ? '\n\n' : ''
      last = `${last}${words}`.slice(-2)
      isBroken = false
      return write(sound.push(gap + words))
    },
    /** Something else came: what follows is another paragraph. */
    breakOff(): void {
      isBroken = true
    },
    end: () => write(sound.end()),
  }
}

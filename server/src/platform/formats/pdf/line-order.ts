/** Pieces of a line in the order in which they are read, where that is from right to left. */
import type { TextItem } from './page-text.ts'

const turnedLetters = /[\p{L}&&[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]]/gv
const otherLetters = /[\p{L}--[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]]/gv
const turned = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
const startsLeft = /[[\p{L}\p{N}]--[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]]/v

/**
 * A line whose letters mostly run from right to left is read so, whatever the order in which its pieces were drawn; what
 * runs the other way within it keeps its own order. Other lines stay as they were drawn.
 */
export const inReadingOrder = (line: readonly TextItem[]): readonly TextItem[] => {
  const text = line.map(({ str }) => str).join('')
  const count = text.match(turnedLetters)?.length ?? 0
  if (line.length < 2 || count <= (text.match(otherLetters)?.length ?? 0)) return line
  const ordered: TextItem[] = []
  let run: TextItem[] = []
  let spaces: TextItem[] = []
  const endRun = (): void => {
    ordered.push(...run.toReversed(), ...spaces)
    run = []
    spaces = []
  }
  for (const item of line.toSorted((a, b) => middleOf(b) - middleOf(a))) {
    if (isLeftToRight(item)) {
      run.push(...spaces, item)
      spaces = []
    } else if (item.str.trim() === '' && run.length > 0) spaces.push(item)
    else {
      endRun()
      ordered.push(item)
    }
  }
  endRun()
  return ordered
}

const middleOf = ({ transform, width }: TextItem): number => Number(transform[4]) + width / 2
const isLeftToRight = ({ str }: TextItem): boolean => startsLeft.test(str) && !turned.test(str)

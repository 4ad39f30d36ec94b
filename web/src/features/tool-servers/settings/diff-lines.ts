/** Two texts, line by line: what went, what came, and what stayed around it. */

export interface DiffLine {
  readonly sign: '+' | '−' | ' '
  readonly line: string
}

/** More lines than these are told as all gone and all new: comparing takes lines times lines. */
const mostLines = 1500

/** The lines of both texts in order, each with its sign: gone, new, or the same. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n')
  const next = after.split('\n')
  const gone = (line: string): DiffLine => ({ sign: '−', line })
  const come = (line: string): DiffLine => ({ sign: '+', line })
  if (old.length > mostLines || next.length > mostLines) return [...old.map(gone), ...next.map(come)]
  const common = lengthsOf(old, next)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < next.length) {
    const [a = '', b = ''] = [old[i], next[j]]
    if (a === b) {
      lines.push({ sign: ' ', line: a })
      i += 1
      j += 1
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push(gone(a))
      i += 1
    } else {
      lines.push(come(b))
      j += 1
    }
  }
  return [...lines, ...old.slice(i).map(gone), ...next.slice(j).map(come)]
}

/** How many lines two tails have in common, in order. */
function lengthsOf(old: readonly string[], next: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1))
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row, below] = [rows[i], rows[i + 1]]
    if (!row || !below) continue
    for (let j = next.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === next[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return rows
}

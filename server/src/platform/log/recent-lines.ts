/** The last lines of the log, kept in memory, for whoever asks for them. They hold what the log holds: no secrets. */

export interface RecentLines {
  add(line: string): void
  /** The oldest first, each without its line feed. */
  list(): readonly string[]
}

/** Keeps at most so many lines and so many characters; the oldest go first. */
export const createRecentLines = ({ maxLines = 2000, maxLength = 1_000_000 } = {}): RecentLines => {
  const lines: string[] = []
  let length = 0
  return {
    add(line) {
      const text = line.trimEnd()
      lines.push(text)
      length += text.length
      while (lines.length > maxLines || length > maxLength) length -= lines.shift()?.length ?? 0
    },
    list: () => [...lines],
  }
}

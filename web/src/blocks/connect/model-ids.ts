/** Ids of models as people type them: one on each line, or separated by commas; each once. */
export const modelIdsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\n,]/)
      .map((id) => id.trim())
      .filter(Boolean),
  ),
]

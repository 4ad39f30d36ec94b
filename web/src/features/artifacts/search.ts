/** What the page of artifacts shows, as its address says it. */
export interface ArtifactsSearch {
  kind?: string | undefined
  of?: 'me' | 'others' | undefined
}

/** Reads what an address holds; what it cannot mean is left out. */
export function readSearch(search: Record<string, unknown>): ArtifactsSearch {
  const { kind, of } = search
  return {
    kind: typeof kind === 'string' && /^[a-z]{1,20}$/.test(kind) ? kind : undefined,
    of: of === 'me' || of === 'others' ? of : undefined,
  }
}

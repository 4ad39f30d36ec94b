/** Several lists of results as one, and which of them may be used. Pure. */
import type { EngineResult } from './engines.ts'

/** In turns over the lists, each address once. */
export const mergeResults = (lists: readonly (readonly EngineResult[])[], most: number): EngineResult[] => {
  const merged = new Map<string, EngineResult>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++) {
    for (const list of lists) {
      const result = list[place]
      if (result && !merged.has(sameness(result.url))) merged.set(sameness(result.url), result)
    }
  }
  return [...merged.values()].slice(0, most)
}

/** Of a list of domains each counts with all below it. An empty list of allowed ones allows all. */
export const onlyFrom = (
  results: readonly EngineResult[],
  { allowedDomains, blockedDomains }: { allowedDomains: readonly string[]; blockedDomains: readonly string[] },
): EngineResult[] =>
  results.filter(({ url }) => {
    const host = new URL(url).hostname
    const isUnder = (domain: string) => host === domain || host.endsWith(`.${domain}`)
    return !blockedDomains.some(isUnder) && (allowedDomains.length === 0 || allowedDomains.some(isUnder))
  })

/** Two addresses that differ only so lead to the same page. */
const sameness = (address: string): string => {
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()])
    if (/^(utm_\w+|gclid|fbclid|ref)$/.test(name)) url.searchParams.delete(name)
  return `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/+$/, '')}${url.search}`
}

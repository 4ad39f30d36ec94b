/** What a browser says of itself, in two words. */
export function deviceOf(userAgent: string | null): { browser: string | null; system: string | null; phone: boolean } {
  const text = userAgent ?? ''
  const first = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(text))?.[1] ?? null
  return { browser: first(browsers), system: first(systems), phone: /iPhone|Android.*Mobile/.test(text) }
}

// The order counts: each later one also calls itself by the names of those after it.
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
] as const
const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

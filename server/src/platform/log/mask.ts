/** Takes what is shaped like a secret, or like an address of mail, out of a text. Masks too much rather than too little. */

export const maskMark = '[hidden]'

/** The text with tokens, keys, credentials and long random runs replaced, cut at `limit` characters. */
export const maskText = (text: string, limit = 2000): string => {
  // A secret that the cut would halve must still be seen whole, so the cut comes after; the input is bounded first
  // because the patterns cost time on every character.
  const bounded = text.length > limit + 4096 ? text.slice(0, limit + 4096) : text
  let masked = bounded
  for (const [pattern, replacement] of shapes) masked = masked.replace(pattern, replacement)
  masked = masked.replace(randomRun, (run) => (looksRandom(run) ? maskMark : run))
  return masked.length > limit ? `${masked.slice(0, limit)}…` : masked
}

/** An address of mail: mail servers like to quote those they refuse. */
const mailAddress = /[^\s@<>"'`,;:()[\]{}/\\=]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}[\p{L}\p{N}-]+/gu

const shapes: readonly (readonly [RegExp, string])[] = [
  // user:password@ in an address
  [/(\/\/)[^/\s@]+@/g, `$1${maskMark}@`],
  [/\b(Bearer|Basic|Digest)\s+[A-Za-z0-9._~+/=-]+/gi, `$1 ${maskMark}`],
  [mailAddress, maskMark],
  // name=value, name: value, "name":"value"
  [
    /([\w-]*(?:authorization|cookie|passw(?:or)?d|passphrase|secret|credential|token|api[-_]?key|private[-_]?key)s?["']?\s*[:=]\s*)(?!\[hidden\])("[^"]*"|'[^']*'|[^\s"',;&}]+)/gi,
    `$1${maskMark}`,
  ],
  [/([?&](?:key|sig|signature|code|auth|jwt|pwd)=)[^\s&#"']+/gi, `$1${maskMark}`],
  // a word, a separator and something long: the form in which most vendors give out keys
  [
    /\b(?:sk|pk|rk|gsk|ghp|gho|ghs|ghr|github_pat|glpat|hf|atr|ats|atl|lwk|xai|xox[a-z]|nvapi|r8|pplx)[-_][A-Za-z0-9_-]{6,}/g,
    maskMark,
  ],
  [/\bAIza[A-Za-z0-9_-]{10,}/g, maskMark],
  [/\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,4}/g, maskMark],
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, maskMark],
]

const randomRun = /[A-Za-z0-9+/_=-]{24,}/g
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Long hex, a stretch that mixes kinds of characters, or letters and digits without a word. Ids and paths are neither. */
const looksRandom = (run: string): boolean => {
  const rest = run.replace(uuid, '/')
  if (changes(rest.replace(/[^A-Za-z0-9]/g, '')) > 0.3) return true
  // Signs of base64 that paths and ids have not, in what is as long as a key.
  if (rest.length >= 40 && /\+|=$/.test(rest) && [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(rest)))
    return true
  return rest
    .split(/[/+]/)
    .some(
      (stretch) =>
        /[0-9a-f]{32,}/i.test(stretch) ||
        (stretch.length >= 20 && /[a-z]/.test(stretch) && /[A-Z]/.test(stretch) && /[0-9]/.test(stretch)) ||
        (stretch.length >= 24 && /^[a-z0-9]+$/i.test(stretch) && (stretch.match(/[0-9]/g)?.length ?? 0) >= 4),
    )
}

/** How often the kind of character changes from one to the next: some 0.65 in base64, some 0.1 in names and words. */
const changes = (text: string): number => {
  if (text.length < 20) return 0
  const kinds = text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '0')
  let count = 0
  for (let at = 1; at < kinds.length; at++) if (kinds[at] !== kinds[at - 1]) count++
  return count / kinds.length
}

/** How long something lasts, in words of English and Arabic, and what seems to be about time and is not understood. */
import { hourMs, minuteMs } from '../../../platform/time/index.ts'
import type { Found } from './by-rules.ts'

/** Digits of Arabic read as those of ASCII. */
export const toNumber = (digits: string): number =>
  Number(digits.replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit))).replace(/[,٫]/, '.'))

const number = '([\\d٠-٩]+(?:[.,٫][\\d٠-٩]+)?)'
const durations: readonly (readonly [RegExp, (count: number) => number])[] = [
  [new RegExp(`(?<!\\S)for\\s+${number}\\s*(?:hours?|hrs?|h)(?!\\p{L})`, 'iu'), (count) => count * hourMs],
  [new RegExp(`(?<!\\S)for\\s+${number}\\s*(?:minutes?|mins?|m)(?!\\p{L})`, 'iu'), (count) => count * minuteMs],
  [/(?<!\S)for\s+half\s+an\s+hour(?!\p{L})/iu, () => hourMs / 2],
  [/(?<!\S)for\s+(?:an|one)\s+hour\s+and\s+a\s+half(?!\p{L})/iu, () => 1.5 * hourMs],
  [/(?<!\S)for\s+(?:an|one)\s+hour(?!\p{L})/iu, () => hourMs],
  [/(?<!\S)for\s+two\s+hours(?!\p{L})/iu, () => 2 * hourMs],
  [/(?<!\S)لمدة\s+نصف\s+ساعة(?!\p{L})/u, () => hourMs / 2],
  [/(?<!\S)لمدة\s+ساعة\s+ونصف(?!\p{L})/u, () => 1.5 * hourMs],
  [/(?<!\S)لمدة\s+ساعة(?:\s+واحدة)?(?!\p{L})/u, () => hourMs],
  [/(?<!\S)لمدة\s+ساعتين(?!\p{L})/u, () => 2 * hourMs],
  [new RegExp(`(?<!\\S)لمدة\\s+${number}\\s*(?:ساعات|ساعة)(?!\\p{L})`, 'u'), (count) => count * hourMs],
  [new RegExp(`(?<!\\S)لمدة\\s+${number}\\s*(?:دقائق|دقيقة)(?!\\p{L})`, 'u'), (count) => count * minuteMs],
]

const longestMs = 24 * hourMs

/** null where the text says none, or one that is no length of an event. */
export const findDuration = (text: string): (Found & { readonly ms: number }) | null => {
  for (const [pattern, msOf] of durations) {
    const match = pattern.exec(text)
    if (!match) continue
    const ms = Math.round(msOf(match[1] === undefined ? 1 : toNumber(match[1])) / minuteMs) * minuteMs
    if (ms > 0 && ms <= longestMs) return { from: match.index, to: match.index + match[0].length, ms }
  }
  return null
}

/** A word that is about when something is, with up to three that belong to it. */
const unknown =
  /(?<!\S)(?:every|each|until|till|except|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|repeat(?:s|ing)?|كل|حتى|عدا|باستثناء|يوميًا|يوميا|أسبوعيًا|أسبوعيا|شهريًا|شهريا|سنويًا|سنويا)(?:[^\S\n]+[^\s,;.،؛]+){0,3}/giu

/** Parts of what is left that were not understood. */
export const findUnknown = (rest: string): string[] =>
  [...rest.matchAll(unknown)].map(([part]) => part.replace(/\s+/g, ' ').trim())

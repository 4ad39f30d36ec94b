/** How often something repeats, in words of English and Arabic, as a rule of RFC 5545. */
import type { Found } from './by-rules.ts'
import { toNumber } from './phrases.ts'

export interface Repetition extends Found {
  readonly rule: string
  /** Whether a day, by its wall-clock time, is one that the rule names. */
  isOn(wall: number): boolean
}

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/** Beginnings of the names of the days, Sunday first. */
const days: readonly RegExp[] = [
  /^(?:sun(?:days?)?|(?:ال)?[أا]حد)$/iu,
  /^(?:mon(?:days?)?|(?:ال)?[إا]ثنين)$/iu,
  /^(?:tue(?:s|sdays?)?|(?:ال)?ثلاثاء)$/iu,
  /^(?:wed(?:nesdays?)?|(?:ال)?[أا]ربعاء)$/iu,
  /^(?:thu(?:rs|rsdays?)?|(?:ال)?خميس)$/iu,
  /^(?:fri(?:days?)?|(?:ال)?جمعة)$/iu,
  /^(?:sat(?:urdays?)?|(?:ال)?سبت)$/iu,
]

const units: Readonly<Record<string, string>> = {
  day: 'DAILY',
  week: 'WEEKLY',
  month: 'MONTHLY',
  year: 'YEARLY',
  daily: 'DAILY',
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
  yearly: 'YEARLY',
  annually: 'YEARLY',
  يوم: 'DAILY',
  أيام: 'DAILY',
  أسبوع: 'WEEKLY',
  أسابيع: 'WEEKLY',
  شهر: 'MONTHLY',
  أشهر: 'MONTHLY',
  سنة: 'YEARLY',
  سنوات: 'YEARLY',
  عام: 'YEARLY',
  يوميا: 'DAILY',
  أسبوعيا: 'WEEKLY',
  شهريا: 'MONTHLY',
  سنويا: 'YEARLY',
}
const twice: Readonly<Record<string, string>> = { يومين: 'DAILY', أسبوعين: 'WEEKLY', شهرين: 'MONTHLY', سنتين: 'YEARLY' }

const name = '(?:sun|mon|tues?|wed|thurs?|thu|fri|sat)(?:days?|nesdays?|urdays?|rsdays?|sdays?)?'
const englishDays = new RegExp(
  `(?<!\\S)every\\s+(other\\s+|second\\s+)?(${name}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*,\\s*and\\s+)${name})*)(?!\\p{L})`,
  'iu',
)
const weekdayNames = /(?<!\S)every\s+(?:weekday|workday|working day)(?!\p{L})/iu
const englishUnits = /(?<!\S)every\s+(?:(other|second|\d{1,3})\s+)?(day|week|month|year)s?(?!\p{L})/iu
const englishWords = /(?<!\S)(daily|weekly|monthly|yearly|annually)(?!\p{L})/iu
const arabicName = '(?:ال)?(?:[أا]حد|[إا]ثنين|ثلاثاء|[أا]ربعاء|خميس|جمعة|سبت)'
const arabicDays = new RegExp(`(?<!\\S)كل\\s+(?:يوم\\s+)?(${arabicName}(?:\\s+و\\s?${arabicName})*)(?!\\p{L})`, 'u')
const arabicTwo = /(?<!\S)كل\s+(يومين|أسبوعين|شهرين|سنتين)(?!\p{L})/u
const arabicUnits = /(?<!\S)كل\s+(?:([\d٠-٩]{1,3})\s+)?(يوم|أيام|أسبوع|أسابيع|شهر|أشهر|سنة|سنوات|عام)(?!\p{L})/u
const arabicWords = /(?<!\S)(يومي|أسبوعي|شهري|سنوي)(?:ًا|ا|اً)(?!\p{L})/u

/** null where the text names none that a rule can say. */
export const findRepetition = (text: string): Repetition | null => {
  const named = englishDays.exec(text)
  if (named) return byDays(named, named[2] ?? '', named[1] === undefined ? 1 : 2)
  const work = weekdayNames.exec(text)
  if (work) return onDays(work, [1, 2, 3, 4, 5], 1)
  const plain = englishUnits.exec(text)
  if (plain) return every(plain, units[(plain[2] ?? '').toLowerCase()], intervalOf(plain[1]))
  const word = englishWords.exec(text)
  if (word) return every(word, units[(word[1] ?? '').toLowerCase()], 1)
  const arabicNamed = arabicDays.exec(text)
  if (arabicNamed) return byDays(arabicNamed, (arabicNamed[1] ?? '').replace(/\sو\s?/g, ' '), 1)
  const two = arabicTwo.exec(text)
  if (two) return every(two, twice[two[1] ?? ''], 2)
  const arabicPlain = arabicUnits.exec(text)
  if (arabicPlain) return every(arabicPlain, units[arabicPlain[2] ?? ''], intervalOf(arabicPlain[1]))
  const arabicWord = arabicWords.exec(text)
  return arabicWord ? every(arabicWord, units[`${arabicWord[1]}ا`], 1) : null
}

const intervalOf = (said: string | undefined): number =>
  said === undefined ? 1 : /^[\d٠-٩]+$/.test(said) ? Math.max(1, toNumber(said)) : 2

const place = (match: RegExpExecArray): Found => ({ from: match.index, to: match.index + match[0].length })

const every = (match: RegExpExecArray, frequency: string | undefined, interval: number): Repetition | null =>
  frequency === undefined
    ? null
    : { ...place(match), rule: `FREQ=${frequency}${intervalText(interval)}`, isOn: () => true }

const byDays = (match: RegExpExecArray, names: string, interval: number): Repetition | null => {
  const words = names.split(/[\s,]+/).filter((word) => word !== '' && word.toLowerCase() !== 'and')
  const numbers = words.map((word) => days.findIndex((day) => day.test(word)))
  return numbers.includes(-1) || numbers.length === 0 ? null : onDays(match, numbers, interval)
}

const onDays = (match: RegExpExecArray, numbers: readonly number[], interval: number): Repetition => ({
  ...place(match),
  rule: `FREQ=WEEKLY${intervalText(interval)};BYDAY=${numbers.map((day) => codes[day]).join(',')}`,
  isOn: (wall) => numbers.includes(new Date(wall).getUTCDay()),
})

const intervalText = (interval: number): string => (interval === 1 ? '' : `;INTERVAL=${interval}`)

/**
 * Whether a password is one of the first that somebody would try: one of the commonest, or a word that stands near at
 * hand, with the changes that everybody makes. Pure.
 */
import { hash } from 'node:crypto'
import { plainName } from '../rules.ts'
import list from './common-passwords.json' with { type: 'json' }

/** Whether it is common, or made of `words`: what the account, the instance and the product are called. */
export const isCommonPassword = (password: string, words: readonly string[]): boolean => {
  const plain = plainName(password)
  const near = wordsIn(words)
  const isName = words.some((word) => plainName(word) === plain)
  return isName || [plain, compact(plain), compact(spelt(plain))].some((form) => isGuessed(form, near))
}

/** The form in which entries of the list are kept. */
export const listForm = (entry: string): string => compact(plainName(entry)) || plainName(entry)

/** So many bytes of a digest: enough that no other password is taken for one of the list. */
const digestLength = 5
export const digestOf = (form: string): Buffer => hash('sha256', form, 'buffer').subarray(0, digestLength)

/** One digest after the other, in their order. */
const common = Buffer.from(list.digests.join(''), 'base64')

const isListed = (form: string): boolean => {
  const wanted = digestOf(form)
  let [first, end] = [0, common.length / digestLength]
  while (first < end) {
    const middle = (first + end) >> 1
    const order = common.compare(wanted, 0, digestLength, middle * digestLength, (middle + 1) * digestLength)
    if (order === 0) return true
    if (order < 0) first = middle + 1
    else end = middle
  }
  return false
}

/** As it stands, repeated, or with a few digits around it. */
const isGuessed = (form: string, near: readonly string[]): boolean => {
  const unit = unitOf(form)
  if (isListed(form) || isListed(unit) || (unit !== form && Array.from(unit).length === 1)) return true
  const core = form.replace(/^\d+|\d+$/gu, '')
  const around = form.length - core.length
  if (around > mostAround && !isListed(form.replace(core, ''))) return false
  const rest = near.reduce((left, word) => left.replaceAll(word, ''), core)
  if (rest !== core && /^\d*$/u.test(rest)) return true
  return rest !== '' && isListed(unitOf(rest))
}

/** So many digits before and after a word make nothing better. */
const mostAround = 6
const shortestWord = 3

const wordsIn = (words: readonly string[]): string[] =>
  words
    .flatMap((each) => {
      const plain = plainName(each)
      return [compact(plain), ...plain.split(/[^\p{L}\p{N}]+/u)]
    })
    .filter((word) => word.length >= shortestWord)
    .toSorted((a, b) => b.length - a.length)

const compact = (plain: string): string => plain.replace(/[^\p{L}\p{N}]+/gu, '')

const letters: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '5': 's',
  $: 's',
  '7': 't',
}
/** With letters in the place of signs that look like them, but for those before and after all letters. */
const spelt = (plain: string): string => {
  const [, before = '', middle = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(plain) ?? []
  return before + middle.replace(/[@4031!5$7]/g, (sign) => letters[sign] ?? sign) + after
}

/** The shortest beginning that gives the whole when it is repeated. */
const unitOf = (form: string): string => /^(.+?)\1+$/su.exec(form)?.[1] ?? form

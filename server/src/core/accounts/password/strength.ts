/** What is asked of a password that somebody chooses. There is no rule about which characters it has, and none about its age. */
import type { ErrorCode } from '@atrium/contract/errors'
import { fail } from '../../../platform/http/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'

const shortest = 12
const longest = 200

/** Why a password will not do: a code, and a sentence where that of the code is not exact; null when it will. */
export const passwordWeakness = (
  password: string,
  words: readonly string[],
): { readonly code: ErrorCode; readonly detail?: string } | null => {
  // Code points: a letter outside the first plane counts once.
  const { length } = Array.from(password)
  if (length < shortest)
    return { code: 'weak_password', detail: `The password must have at least ${shortest} characters.` }
  if (length > longest) return { code: 'weak_password', detail: `The password can have at most ${longest} characters.` }
  return isCommonPassword(password, words) ? { code: 'common_password' } : null
}

/** Refuses a password that will not do, saying why. `names`: what the account is called; `baseUrl`: where the instance is reached. */
export const requireStrong = (
  password: string,
  { names, baseUrl }: { names: readonly (string | null)[]; baseUrl: URL | undefined },
): void => {
  const weakness = passwordWeakness(password, [...wordsOf(names), ...placeWords(baseUrl), product])
  if (weakness) throw fail(weakness.code, weakness.detail)
}

const product = 'atrium'

/** A name as it is, and of an address also what stands before the `@`. */
const wordsOf = (names: readonly (string | null)[]): string[] =>
  names.flatMap((name) => (name === null ? [] : [name, name.replace(/@[^@]*$/u, '')]))

/** `chat` and `firm` of `chat.firm.example`. */
const placeWords = (baseUrl: URL | undefined): string[] => {
  const labels = baseUrl?.hostname.split('.') ?? []
  return (labels.length > 1 ? labels.slice(0, -1) : labels).filter((label) => label.length > 3)
}

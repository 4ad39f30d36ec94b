/** Decisions about names, passwords and tokens. Pure. */

/** The form in which names and addresses are compared: `Ann`, `ann` and full-width `ａｎｎ` are one. */
export const plainName = (name: string): string => name.normalize('NFKC').trim().toLowerCase().normalize('NFKC')

/** Whether one of some plain names begins with what was typed. */
export const beginsWith = (names: readonly string[], typed: string): boolean => {
  const beginning = plainName(typed)
  return names.some((name) => name.startsWith(beginning))
}

/** The form in which a password is hashed, so that it is the same from every keyboard. */
export const plainPassword = (password: string): string => password.normalize('NFKC')

const shortest = 12
const longest = 200

/** Why a password will not do, as a sentence; null when it will. `names`: what the account is called. */
export const passwordWeakness = (password: string, names: readonly (string | null | undefined)[]): string | null => {
  // Code points: a letter outside the first plane counts once.
  const { length } = Array.from(password)
  if (length < shortest) return `The password needs at least ${shortest} characters.`
  if (length > longest) return `The password can have ${longest} characters at most.`
  const plain = plainName(password)
  if (names.some((name) => name && plainName(name) === plain))
    return 'The password must not be the name of the account.'
  return null
}

export const sessionPrefix = 'ats_'
/** Whether a text can be a session's token at all; saves a look-up for what is not. */
export const isSessionShaped = (text: string): boolean => /^ats_[A-Za-z0-9_-]{43}$/.test(text)

export const apiTokenPrefix = 'atr_'
export const isApiTokenShaped = (text: string): boolean => /^atr_[A-Za-z0-9_-]{43}$/.test(text)
/** So many characters of an API token are kept in plain, to tell tokens apart. */
export const shownLength = 12
/** So many API tokens of an account may be live at a time. */
export const liveTokens = 25
/** So many groups there can be. */
export const mostGroups = 500

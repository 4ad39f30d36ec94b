/** Decisions about names, passwords and tokens of sessions. Pure. */

/** The form in which names and addresses are compared: `Ann`, `ann` and full-width `ａｎｎ` are one. */
export const plainName = (name: string): string => name.normalize('NFKC').trim().toLowerCase().normalize('NFKC')

/** Whether one of some plain names begins with what was typed. */
export const beginsWith = (names: readonly string[], typed: string): boolean => {
  const beginning = plainName(typed)
  return names.some((name) => name.startsWith(beginning))
}

/** The names to try, one after the other: `ann`, `ann-2`, `ann-3`, … */
export const nameTries = (name: string, most = 50): string[] =>
  Array.from({ length: most }, (_, at) => (at === 0 ? name : `${name}-${at + 1}`))

/** The form in which a password is hashed, so that it is the same from every keyboard. */
export const plainPassword = (password: string): string => password.normalize('NFKC')

export const sessionPrefix = 'ats_'
/** Whether a text can be a session's token at all; saves a look-up for what is not. */
export const isSessionShaped = (text: string): boolean => /^ats_[A-Za-z0-9_-]{43}$/.test(text)

/** Names of local networks: nobody can own them on the internet (RFC 6761, RFC 6762, RFC 8375). */
const localNames =
  /(^|\.)(localhost|localdomain|local|lan|home|home\.arpa|internal|intranet|corp|private|test|fritz\.box)$/

/**
 * Whether an address that a browser came to cannot be that of a stranger's page whose name was turned to this machine
 * (DNS rebinding): an IP address, a name of a local network, or the address that the operator named. `origin`: scheme and host.
 */
export const isOwnOrigin = (origin: string, baseUrl: URL | undefined): boolean => {
  const url = URL.parse(origin)
  if (!url) return false
  const name = url.hostname.replace(/\.$/, '')
  const isNumbers = /^[\d.]+$|^\[/.test(name)
  return isNumbers || !name.includes('.') || localNames.test(name) || url.host === baseUrl?.host
}

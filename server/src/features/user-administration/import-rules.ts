/** What is wrong with a line of people, as far as the lines themselves tell. Pure. */
import { Email, User, Username } from '@atrium/contract/accounts'
import type { ImportFault, ImportLine } from '@atrium/contract/user-administration'
import { plainName } from '../../core/accounts/index.ts'

export interface PlainLine {
  readonly username: string
  readonly displayName: string | null
  readonly email: string | null
  readonly role: User['role']
  readonly groups: readonly string[]
}

/** The line without spaces around its values; a role that is none counts as `user`, and is a fault besides. */
export const toPlainLine = ({ username, displayName, email, role, groups }: ImportLine): PlainLine => ({
  username: username.trim(),
  displayName: displayName.trim() || null,
  email: email.trim() || null,
  role: roleOf(role) ?? 'user',
  groups: [...new Set(groups.map((group) => group.trim()).filter((group) => group !== ''))],
})

const roleOf = (text: string): User['role'] | null => User.shape.role.safeParse(plainName(text) || 'user').data ?? null

/** Faults of every line: missing and unfit values, and what stands in two lines; of these the first is right. */
export const faultsOfLines = (lines: readonly ImportLine[], as: 'accounts' | 'invitations'): ImportFault[][] => {
  const [names, addresses] = [new Set<string>(), new Set<string>()]
  /** Whether it stood in a line before. */
  const isRepeated = (known: Set<string>, text: string): boolean => {
    const plain = plainName(text)
    const repeated = known.has(plain)
    known.add(plain)
    return repeated
  }
  return lines.map((line) => {
    const { username, displayName, email } = toPlainLine(line)
    const faults: ImportFault[] = []
    if (as === 'accounts') {
      if (username === '') faults.push({ field: 'username', code: 'missing' })
      else if (!Username.safeParse(username).success) faults.push({ field: 'username', code: 'invalid' })
      else if (isRepeated(names, username)) faults.push({ field: 'username', code: 'repeated' })
      if (displayName && displayName.length > 120) faults.push({ field: 'displayName', code: 'invalid' })
    }
    if (email !== null) {
      if (!Email.safeParse(email).success) faults.push({ field: 'email', code: 'invalid' })
      else if (isRepeated(addresses, email)) faults.push({ field: 'email', code: 'repeated' })
    } else if (as === 'invitations') faults.push({ field: 'email', code: 'missing' })
    if (roleOf(line.role) === null) faults.push({ field: 'role', code: 'invalid' })
    return faults
  })
}

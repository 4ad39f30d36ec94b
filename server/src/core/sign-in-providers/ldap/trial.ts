/** Tries the settings step by step, as a sign-in would go; nothing is changed, and nothing secret is told. */
import type { LdapTrial } from '@atrium/contract/sign-in-providers'
import type { SavedLdap } from './config.ts'
import { createDirectoryClient, DirectoryFailure, type DirectoryStep } from './directory.ts'
import { type DirectoryEntry, type DirectoryGroup, personOf } from './rules.ts'

const longest = 500
const mostValues = 20
/** Never shown, whatever else an entry holds. */
const secret = /password|secret|krb|sambant|sambalm|unicodepwd|otp/i

export const testDirectory = async (
  settings: SavedLdap,
  { username, password }: { readonly username?: string | undefined; readonly password?: string | undefined },
  accounts: {
    accountOf(subject: string): Promise<string | null>
    isTaken(username: string): Promise<boolean>
  },
): Promise<LdapTrial> => {
  const steps: LdapTrial['steps'] = []
  let began = performance.now()
  const note = (step: DirectoryStep, ok: boolean, detail: string): void => {
    const now = performance.now()
    steps.push({ step, ok, detail, durationMs: Math.round(now - began) })
    began = now
  }
  const onStep = (step: DirectoryStep, detail: string): void => note(step, true, detail)
  const directory = createDirectoryClient(settings)
  try {
    if (username === undefined) {
      await directory.reach(onStep)
      return { ok: true, steps, entry: null, mapping: null }
    }
    const found = await directory.find(username, password ?? null, onStep)
    if (!found) {
      const search = steps.find(({ step }) => step === 'search')
      if (search && search.detail !== '1 entry') search.ok = false
      else note('sign-in', false, 'The directory did not take this password.')
      return { ok: false, steps, entry: null, mapping: null }
    }
    return {
      ok: true,
      steps,
      entry: shown(found.entry, found.groups),
      mapping: await mapped(settings, found, accounts),
    }
  } catch (error) {
    if (!(error instanceof DirectoryFailure)) throw error
    note(error.step, false, error.message)
    return { ok: false, steps, entry: null, mapping: null }
  }
}

const shown = (entry: DirectoryEntry, groups: readonly DirectoryGroup[]): LdapTrial['entry'] => ({
  dn: entry.dn,
  attributes: [...entry.attributes]
    .filter(([name]) => !secret.test(name))
    .map(([name, values]) => ({ name, values: values.slice(0, mostValues).map((value) => value.slice(0, longest)) })),
  groups: groups.map(({ name }) => name),
})

const mapped = async (
  settings: SavedLdap,
  { entry, groups }: { entry: DirectoryEntry; groups: readonly DirectoryGroup[] },
  accounts: Parameters<typeof testDirectory>[2],
): Promise<LdapTrial['mapping']> => {
  const read = personOf(settings, entry, groups)
  if ('lacking' in read)
    return { username: '', email: null, displayName: null, role: null, groups: [], outcome: 'incomplete' }
  const { subject, username, email, displayName, role, groups: kept } = read.person
  const isLinked = (await accounts.accountOf(subject)) !== null
  const outcome = isLinked
    ? 'linked'
    : (await accounts.isTaken(username))
      ? 'name-taken'
      : ({ off: 'sign-up-closed', pending: 'pending', active: 'new' } as const)[settings.signUp]
  return { username, email, displayName, role, groups: [...kept], outcome }
}

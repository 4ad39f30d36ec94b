/** Many people at once. Each line is judged and made by itself: one that is refused stops no other. */
import type { ImportFault, ImportResult, importRoutes } from '@atrium/contract/user-administration'
import { actorOf } from '../../platform/audit/index.ts'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { Refusal, fail } from '../../platform/http/refusal.ts'
import type { UserAdministrationContext } from './context.ts'
import { createInviteGuest } from './invitations.ts'
import { faultsOfLines, type PlainLine, toPlainLine } from './import-rules.ts'

const daysOfInvitations = 14

export const importHandlers = (areas: UserAdministrationContext): Handlers<typeof importRoutes> => {
  const { accounts, groups } = areas
  const inviteGuest = createInviteGuest(areas)
  const { administration, store, handedLinks, accountMail } = accounts

  /** The groups by their names; null for one that there is not, or that a directory keeps. */
  const findGroups = async (lines: readonly PlainLine[]): Promise<ReadonlyMap<string, string | null>> => {
    const names = [...new Set(lines.flatMap((line) => line.groups))]
    const found = await Promise.all(
      names.map(async (name) => [name, (await groups.findByName(name))?.id ?? null] as const),
    )
    return new Map(found)
  }

  /** What the accounts that there are say against a line. */
  const faultsHere = async ({ username, email }: PlainLine, as: 'accounts' | 'invitations'): Promise<ImportFault[]> => {
    const asked = [
      ...(as === 'accounts' ? [() => administration.requireUsername(username)] : []),
      ...(email === null ? [] : [() => store.requireFree(undefined, email)]),
    ]
    const faults: ImportFault[] = []
    for (const ask of asked) faults.push(...(await refusedWith(ask)))
    return faults
  }

  const makeAccount = async (line: PlainLine, groupIds: readonly string[], context: Context) => {
    const { username, displayName, email, role } = line
    const { id } = await administration.create({ username, displayName, email, role }, actorOf(context))
    for (const groupId of groupIds) await groups.addMember(groupId, id)
    const { url } = await handedLinks.createPasswordLink(id, context.caller.accountId)
    return { id, link: url, sent: false }
  }
  const makeInvitation = async (
    { email, role }: PlainLine,
    groupIds: readonly string[],
    send: boolean,
    context: Context,
  ) => {
    const body = { email, role, groupIds: [...groupIds], expiresInDays: daysOfInvitations, send }
    const { link, sent } = await inviteGuest(body, context)
    return { id: null, link, sent }
  }

  return {
    async import({ body: { people, as, send, dryRun } }, context) {
      if (send && !(await accountMail.canSend())) throw fail('mail_not_configured')
      const lines = people.map(toPlainLine)
      const faults = faultsOfLines(people, as)
      const groupIds = await findGroups(lines)
      const items: ImportResult[] = []
      // One after the other, as the second may want what the first has.
      for (const [index, line] of lines.entries()) {
        const own = [...(faults[index] ?? [])]
        if (line.groups.some((name) => groupIds.get(name) === null)) own.push({ field: 'groups', code: 'unknown' })
        if (own.length === 0) own.push(...(await faultsHere(line, as)))
        const nothing = { index, faults: own, id: null, link: null, sent: false }
        if (own.length > 0 || dryRun) {
          items.push(nothing)
          continue
        }
        const ids = line.groups.flatMap((name) => groupIds.get(name) ?? [])
        const made =
          as === 'accounts' ? () => makeAccount(line, ids, context) : () => makeInvitation(line, ids, send, context)
        try {
          items.push(Object.assign(nothing, await made()))
        } catch (error) {
          items.push(Object.assign(nothing, { faults: [faultOf(error)] }))
        }
      }
      return { items, nextCursor: null }
    },
  }
}

/** A refusal as what is wrong with a line; anything else is thrown on. */
const faultOf = (error: unknown): ImportFault => {
  if (!(error instanceof Refusal)) throw error
  switch (error.code) {
    case 'username_taken':
      return { field: 'username', code: 'taken' }
    case 'username_scripts':
      return { field: 'username', code: 'scripts' }
    case 'email_taken':
      return { field: 'email', code: 'taken' }
    case 'invitation_limit':
      return { field: 'email', code: 'limit' }
    case 'group_not_found':
    case 'group_managed':
      return { field: 'groups', code: 'unknown' }
    default:
      throw error
  }
}

const refusedWith = async (ask: () => Promise<unknown>): Promise<ImportFault[]> => {
  try {
    await ask()
    return []
  } catch (error) {
    return [faultOf(error)]
  }
}

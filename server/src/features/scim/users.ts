/** Accounts as a directory keeps them. It changes those that it made or took over; administrators' own it cannot take. */
import type { User } from '@atrium/contract/accounts'
import type { scimRoutes } from '@atrium/contract/scim'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import {
  answerList,
  answerNothing,
  answerOne,
  readRange,
  requireVersion,
  type ScimResource,
  userResource,
} from './responses.ts'
import type { ScimContext } from './context.ts'
import { type FilterComparison, parseFilter } from './filter.ts'
import { patchUser, stateOfBody, type UserState } from './user-state.ts'

type Names = 'users' | 'createUser' | 'user' | 'replaceUser' | 'patchUser' | 'removeUser'
type Visit = Context<null>
interface Known {
  readonly user: User
  readonly state: UserState
  readonly isProvisioned: boolean
}

const findable: ReadonlySet<string> = new Set(['id', 'username', 'externalid', 'emails', 'emails.value', 'active'])

export const userHandlers = (parts: ScimContext): Pick<Handlers<typeof scimRoutes>, Names> => {
  const { provisioning, administration, groups, clock, base, whoOf, note } = parts
  const { ids } = provisioning

  const read = async (id: string): Promise<Known | null> => {
    const [user, link] = await Promise.all([provisioning.user(id), ids.of('scim', id)])
    if (!user) return null
    const { username: userName, displayName, email, status } = user
    const name = readName(link?.attributes ?? null)
    return {
      user,
      isProvisioned: link !== null,
      state: { userName, displayName, email, name, active: status === 'active', externalId: link?.subject ?? null },
    }
  }
  const resource = ({ user, state }: Known): ScimResource => userResource(base, user, state)
  const requireKnown = async (id: string): Promise<Known> => {
    const known = await read(id)
    if (!known) throw fail('user_not_found')
    return known
  }

  /** Who may be meant: found by what is indexed; the rest of the filter is held against each. */
  const candidates = async (comparisons: readonly FilterComparison[]): Promise<string[] | null> => {
    for (const { attribute, value } of comparisons) {
      const text = String(value)
      if (attribute === 'id') return [text]
      if (attribute === 'username') return listOf(await provisioning.byUsername(text))
      if (attribute === 'externalid') return listOf(await ids.find('scim', text))
      if (attribute.startsWith('emails')) return listOf(await provisioning.byEmail(text))
    }
    return null
  }

  const page = async (comparisons: readonly FilterComparison[], offset: number, limit: number) => {
    const found = await candidates(comparisons)
    if (!found) {
      // Only `active` is left to compare, and it may be compared more than once.
      const wanted = new Set(comparisons.map(({ value }) => value === true || value === 'true'))
      if (wanted.size > 1) return { total: 0, known: [] }
      const [active] = wanted
      const status = active === undefined ? {} : { status: active ? ('active' as const) : ('others' as const) }
      const { total, accountIds } = await ids.page('scim', { ...status, offset, limit })
      return { total, known: await Promise.all(accountIds.map(read)) }
    }
    const all = (await Promise.all(found.map(read))).filter(
      (each) => each && comparisons.every((one) => holds(each, one)),
    )
    return { total: all.length, known: all.slice(offset, offset + limit) }
  }

  /** Makes an account the directory's, where it may be. */
  const adopt = async (known: Known, context: Visit): Promise<void> => {
    if (known.isProvisioned) return
    if (known.user.role === 'admin')
      throw fail('scim_mutability', 'This is an administrator’s account. Directories can’t take it over.')
    await ids.link('scim', known.user.id, { subject: null, attributes: null }, clock.now())
    await note('auth.identity.link', known.user.id, context, { how: 'matched' })
  }

  const change = async (id: string, next: (state: UserState) => UserState, context: Visit): Promise<Known> => {
    const known = await requireKnown(id)
    requireVersion(context, resource(known))
    const { user, state } = known
    const after = next(state)
    await adopt(known, context)
    const fields = {
      ...(after.userName === state.userName ? {} : { username: after.userName }),
      ...(after.displayName === state.displayName ? {} : { displayName: after.displayName }),
      ...(after.email === state.email ? {} : { email: after.email }),
    }
    // Whoever holds the directory's token must not get an administrator's account by changing where its letters go.
    if (user.role === 'admin' && Object.keys(fields).length > 0)
      throw fail('scim_mutability', 'This account is an administrator’s. A directory can only disable and enable it.')
    // First what can be refused for the sake of others, so that nothing is half done.
    if (after.active !== state.active)
      await administration.setStatus(id, after.active ? 'active' : 'disabled', whoOf(context))
    if (Object.keys(fields).length > 0) await administration.update(user.id, fields, whoOf(context), 'any')
    const isLinkNew = after.externalId !== state.externalId || JSON.stringify(after.name) !== JSON.stringify(state.name)
    if (isLinkNew) await ids.link('scim', id, linkOf(after), clock.now())
    const changed = [...Object.keys(fields), ...(isLinkNew ? ['externalId'] : [])]
    if (after.active !== state.active) changed.push('active')
    if (changed.length > 0) await note('auth.identity.sync', id, context, { fields: changed })
    return await requireKnown(id)
  }

  return {
    async users({ query }) {
      const comparisons = query.filter === undefined ? [] : parseFilter(query.filter, findable)
      const { startIndex, limit } = readRange(query)
      const { total, known } = await page(comparisons, startIndex - 1, limit)
      return answerList(total, startIndex, known.filter((each) => each !== null).map(resource), query)
    },

    async createUser({ body }, context) {
      const state = stateOfBody(body, { active: true })
      if (state.externalId !== null && (await ids.find('scim', state.externalId))) throw fail('identity_linked')
      const { userName: username, displayName, email } = state
      const { id } = await administration.create(
        { username, displayName, email, role: 'user', scripts: 'any' },
        whoOf(context),
      )
      await ids.link('scim', id, linkOf(state), clock.now())
      if (!state.active) await administration.setStatus(id, 'disabled', whoOf(context))
      await note('auth.identity.link', id, context, { how: 'made' })
      return answerOne(resource(await requireKnown(id)), {}, 201)
    },

    async user({ params, query }) {
      const known = await requireKnown(params.id)
      // What was let go is gone, for the directory; a search by name still finds it, to take it up again.
      if (!known.isProvisioned && !known.state.active) throw fail('user_not_found')
      return answerOne(resource(known), query)
    },

    replaceUser: async ({ params, body }, context) =>
      answerOne(resource(await change(params.id, (state) => stateOfBody(body, state), context))),

    patchUser: async ({ params, body }, context) =>
      answerOne(resource(await change(params.id, (state) => patchUser(state, body), context))),

    async removeUser({ params: { id } }, context) {
      const known = await requireKnown(id)
      if (!known.isProvisioned && !known.state.active) throw fail('user_not_found')
      if (!known.isProvisioned) throw fail('scim_mutability', 'This account isn’t managed by a directory.')
      requireVersion(context, resource(known))
      if (known.user.status !== 'disabled') await administration.setStatus(id, 'disabled', whoOf(context))
      await groups.setGroups(id, 'scim', [])
      await ids.unlink('scim', id)
      await note('auth.identity.unlink', id, context, {})
      return answerNothing()
    },
  }
}

const listOf = (id: string | null): string[] => (id === null ? [] : [id])

const holds = ({ user, state }: Known, { attribute, value }: FilterComparison): boolean => {
  const same = (own: string | null) =>
    own?.normalize('NFKC').toLowerCase() === String(value).normalize('NFKC').toLowerCase()
  if (attribute === 'id') return user.id === value
  if (attribute === 'username') return same(state.userName)
  if (attribute === 'externalid') return state.externalId === value
  if (attribute === 'active') return state.active === (value === true || value === 'true')
  return same(state.email)
}

const linkOf = ({ externalId, name }: UserState) => ({
  subject: externalId,
  attributes: Object.keys(name).length === 0 ? null : JSON.stringify(name),
})

const readName = (attributes: string | null): Record<string, string> =>
  attributes === null ? {} : (JSON.parse(attributes) as Record<string, string>)

/** Groups that a directory made, and who is in them. Groups that were made here are none of its business. */
import type { scimRoutes } from '@atrium/contract/scim'
import type { Context, Handlers } from '../../platform/http/area.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import {
  answerList,
  answerNothing,
  answerOne,
  groupResource,
  readRange,
  requireVersion,
  type ScimResource,
} from './responses.ts'
import type { ScimContext } from './context.ts'
import { type FilterComparison, parseFilter } from './filter.ts'
import { type GroupState, patchGroup, stateOfGroupBody } from './group-state.ts'

type Names = 'groups' | 'createGroup' | 'group' | 'replaceGroup' | 'patchGroup' | 'removeGroup'
interface ProvisionedGroup {
  readonly id: string
  readonly state: GroupState
}

const source = 'scim'
const findable: ReadonlySet<string> = new Set(['id', 'displayname', 'externalid', 'members', 'members.value'])

export const groupHandlers = (parts: ScimContext): Pick<Handlers<typeof scimRoutes>, Names> => {
  const { provisioning, groups, store, base, note } = parts

  const provisionedIds = async (): Promise<string[]> =>
    [...(await groups.sources.origins())].filter(([, origin]) => origin === source).map(([id]) => id)
  const read = async (id: string, externalIds: ReadonlyMap<string, string>): Promise<ProvisionedGroup | null> => {
    const group = await groups.find(id)
    if (!group) return null
    const members = new Set(await groups.sources.members(id, source))
    return { id, state: { displayName: group.name, externalId: externalIds.get(id) ?? null, members } }
  }
  const requireProvisioned = async (id: string): Promise<ProvisionedGroup> => {
    const kept = (await groups.sources.origins()).get(id) === source ? await read(id, await store.groupIds()) : null
    if (!kept) throw fail('group_not_found')
    return kept
  }
  const resource = ({ id, state }: ProvisionedGroup): ScimResource => groupResource(base, id, state)
  const requireMembers = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids)
      if (!(await provisioning.user(id))) throw fail('scim_value', `Account ${id.slice(0, 100)} not found.`)
  }

  const change = async (
    id: string,
    next: (state: GroupState) => GroupState,
    context: Context<null>,
  ): Promise<ProvisionedGroup> => {
    const kept = await requireProvisioned(id)
    requireVersion(context, resource(kept))
    const { state } = kept
    const after = next(state)
    const add = [...after.members].filter((member) => !state.members.has(member))
    const remove = [...state.members].filter((member) => !after.members.has(member))
    await requireMembers(add)
    if (after.displayName !== state.displayName) await groups.rename(id, after.displayName, undefined, source)
    if (after.externalId !== state.externalId) await store.setGroupId(id, after.externalId)
    if (add.length + remove.length > 0) await groups.changeMembers(id, source, { add, remove })
    await note('group.update', id, context, { added: add.length, removed: remove.length }, 'group')
    return await requireProvisioned(id)
  }

  return {
    async groups({ query }) {
      const comparisons = query.filter === undefined ? [] : parseFilter(query.filter, findable)
      const externalIds = await store.groupIds()
      const all: ProvisionedGroup[] = []
      for (const id of (await provisionedIds()).sort()) {
        const kept = await read(id, externalIds)
        if (kept && comparisons.every((one) => holds(kept, one))) all.push(kept)
      }
      const { startIndex, limit } = readRange(query)
      const shown = all.slice(startIndex - 1, startIndex - 1 + limit)
      return answerList(all.length, startIndex, shown.map(resource), query)
    },

    async createGroup({ body }, context) {
      const state = stateOfGroupBody(body)
      await requireMembers([...state.members])
      const { id } = await groups.add(state.displayName)
      try {
        await groups.sources.claim(id, source)
        if (state.externalId !== null) await store.setGroupId(id, state.externalId)
        await groups.changeMembers(id, source, { add: [...state.members], remove: [] })
      } catch (error) {
        // A group without a link would block the next try.
        await groups.remove(id).catch((failed: unknown) => {
          if (!isRefusal(failed)) throw failed
        })
        throw error
      }
      await note('group.create', id, context, { added: state.members.size }, 'group')
      return answerOne(resource(await requireProvisioned(id)), {}, 201)
    },

    group: async ({ params, query }) => answerOne(resource(await requireProvisioned(params.id)), query),

    replaceGroup: async ({ params, body }, context) =>
      answerOne(resource(await change(params.id, () => stateOfGroupBody(body), context))),

    patchGroup: async ({ params, body }, context) =>
      answerOne(resource(await change(params.id, (state) => patchGroup(state, body), context))),

    async removeGroup({ params: { id } }, context) {
      requireVersion(context, resource(await requireProvisioned(id)))
      await groups.remove(id)
      await note('group.delete', id, context, {}, 'group')
      return answerNothing()
    },
  }
}

const holds = ({ id, state }: ProvisionedGroup, { attribute, value }: FilterComparison): boolean => {
  if (attribute === 'id') return id === value
  if (attribute === 'displayname') return state.displayName.toLowerCase() === String(value).toLowerCase()
  if (attribute === 'externalid') return state.externalId === value
  return state.members.has(String(value))
}

/** The model of a chat as requests name it: whole, by its members, or by nothing. */
import { Selection } from '@atrium/contract/common'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { readProjectReach } from '../project-reach.ts'
import type { SessionRow } from '../tables.ts'

interface SelectionFields {
  readonly selection?: Selection | null | undefined
  readonly model?: string | undefined
  readonly providerType?: Selection['providerType'] | undefined
  readonly providerId?: string | null | undefined
}

type ModelsDep = Pick<ChatContext, 'listModels'>

/**
 * What a chat starts with where nothing was chosen: the model of its project, else the one that the list of models
 * names; null: there is none.
 */
export const startSelection = async (
  context: ModelsDep & Pick<ChatContext, 'store'>,
  keys: Keyring,
  place: Pick<SessionRow, 'account_id' | 'folder_id'>,
): Promise<Selection | null> =>
  (await readProjectReach(context, keys, place)).selection ??
  (await context.listModels(place.account_id)).fallback?.selection ??
  null

/**
 * The selection of a request; undefined when it says nothing. A bare `model` is one that exactly one provider of the
 * account has. Refuses with `validation_failed` what names no model, or more than one.
 */
export const readSelection = async (
  { listModels }: ModelsDep,
  accountId: string,
  { selection, model, providerType, providerId }: SelectionFields,
): Promise<Selection | null | undefined> => {
  if (model === undefined) {
    if (providerType !== undefined || providerId !== undefined) throw refuse('model', 'a provider needs a model')
    return selection
  }
  if (selection !== undefined) throw refuse('selection', 'send either selection or model')
  if (providerType !== undefined) {
    const read = Selection.safeParse({ providerType, providerId: providerId ?? null, model })
    if (!read.success) throw refuse('providerId', read.error.issues[0]?.message ?? 'is not the provider of a model')
    return read.data
  }
  const same = (await listModels(accountId)).items
    .map((item) => item.selection)
    .filter((item) => item.model === model && (providerId === undefined || item.providerId === providerId))
  if (same.length === 1 && same[0]) return same[0]
  const owners = same.map((item) => `${item.providerType}${item.providerId === null ? '' : ` ${item.providerId}`}`)
  throw refuse(
    'model',
    same.length === 0 ? 'no provider of this account has it' : `say whose: ${owners.join(', ')} have it`,
  )
}

const refuse = (field: string, message: string) =>
  fail('validation_failed', undefined, [{ path: `body.${field}`, message }])

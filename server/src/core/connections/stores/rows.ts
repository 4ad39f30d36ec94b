/** What every store of this area shares: whose row it is, and how values are sealed. */
import { Definition, Discovery } from '@atrium/contract/connections'
import { z } from 'zod'
import { storedJson } from '../../../platform/stored-json.ts'
import { ListedModel } from '../../../providers/model-list.ts'
import { asTokens } from '../../../providers/wires/json.ts'
import { withSoundVariable } from '../definitions/quick-definition.ts'

export interface OwnRow {
  readonly account_id: string
  readonly connection_id: string
}

/** The name of a row that belongs to an account and a connection, as its seal has it. */
export const idOf = (row: OwnRow): string => `${row.account_id}/${row.connection_id}`

/** Differs whenever a row was sealed anew, as every seal begins with chance. */
export const sealMark = (sealed: Uint8Array): string => Buffer.from(sealed.subarray(0, 48)).toString('hex')

const SavedValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const definitionJson = storedJson('connection_definitions.document', Definition, withSoundVariable)
export const instanceValuesJson = storedJson('connection_instance_values.document', SavedValues)
export const ownValuesJson = storedJson('connection_values.document', SavedValues)
export const modelsJson = storedJson('connection_catalogues.models', z.array(ListedModel), withSoundWindows)
export const outcomeJson = storedJson('connection_catalogues.outcome', Discovery)

/** Lists of before there was a bound to what a provider may call a window. */
function withSoundWindows(stored: unknown): unknown {
  if (!Array.isArray(stored)) return stored
  return stored.map((model: Record<string, unknown>) => ({ ...model, contextWindow: asTokens(model['contextWindow']) }))
}

/** What every store of this area shares: whose row it is, and how values are sealed. */
import { z } from 'zod'
import type { Keyring } from '../../platform/vault/types.ts'
import type { Values } from './types.ts'

export interface OwnRow {
  readonly account_id: string
  readonly connection_id: string
}

/** The name of a row that belongs to an account and a connection, as its seal has it. */
export const idOf = (row: OwnRow): string => `${row.account_id}/${row.connection_id}`

/** Differs whenever a row was sealed anew, as every seal begins with chance. */
export const sealMark = (sealed: Uint8Array): string => Buffer.from(sealed.subarray(0, 48)).toString('hex')

const SavedValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const sealValues = (keyring: Keyring, place: `${string}.${string}`, id: string, values: Values): Uint8Array =>
  keyring.seal(place, id, JSON.stringify(values))

export const openValues = (keyring: Keyring, place: `${string}.${string}`, id: string, sealed: Uint8Array): Values =>
  SavedValues.parse(JSON.parse(keyring.open(place, id, sealed)))

/** Connections as an account has them, read from the rows of this area; the other files here write, each its own table. */
import { inTables } from '../../../platform/db/types.ts'
import { readableOf, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { type StoreContext, type StoreDeps, connectionTables } from './context.ts'
import type { BundledDefinition } from '../../../providers/definitions.ts'
import { createCatalogueStore, createCatalogueReader } from './catalogues.ts'
import { createDefinitionStore } from './definitions.ts'
import { createKeyStore, openKey } from './keys.ts'
import { createParseCache } from './parse-cache.ts'
import { withQuickVariables } from '../definitions/quick-definition.ts'
import { routeFingerprint, routeOf } from '../definitions/routing.ts'
import { definitionJson, idOf, instanceValuesJson, ownValuesJson, sealMark } from './rows.ts'
import type { ActivationRow, ConnectionTables, DefinitionRow, InstanceValuesRow } from '../tables.ts'
import type { AccountConnection, InstalledDefinition, AccountSettings } from '../types.ts'
import { createRequestStore } from './requests.ts'
import { audienceOf, createSharingStore, openSharedKey } from './sharing.ts'
import { createValueStore } from './values.ts'

export type ConnectionStore = ReturnType<typeof createConnectionStore>

export const createConnectionStore = (deps: StoreDeps) => {
  const tables = () => connectionTables(deps)
  const ours = new Map(deps.bundled.map((definition) => [definition.id, definition]))
  const remembered = createParseCache<InstalledDefinition>()
  const toCatalogue = createCatalogueReader()

  /** Throws UnreadableRow where the definition cannot be read. */
  const assemble = (
    id: string,
    row: DefinitionRow | undefined,
    values: InstanceValuesRow | undefined,
    instance: Keyring,
  ) => {
    const bundled = ours.get(id) ?? null
    if (!row && !bundled) return null
    const version = `${row ? sealMark(row.document) : ''} ${values ? sealMark(values.document) : ''}`
    return remembered(id, version, (): InstalledDefinition => {
      const definition = row
        ? withQuickVariables(definitionJson.open(instance, id, row.document))
        : (bundled as BundledDefinition)
      const source = row ? (bundled ? 'replacing' : 'installed') : 'bundled'
      const saved = values ? unlessUnreadable(() => instanceValuesJson.open(instance, id, values.document), null) : {}
      // Where the calls should go is not known then, and the definition's own place may be a stranger to them.
      const route = saved
        ? routeOf(definition, saved, bundled)
        : { ...routeOf(definition, {}, bundled), unmoved: false, fault: unreadableValues }
      const fingerprint = routeFingerprint(definition, source, route)
      const times = { createdAt: row?.created_at ?? null, updatedAt: row?.updated_at ?? null }
      return { definition, source, bundled, values: saved ?? {}, route, fingerprint, ...times }
    })
  }

  const readInstalled: StoreContext['readInstalled'] = async (trx, id, instance) => {
    const open = inTables<ConnectionTables>(trx)
    const row = await open.selectFrom('connection_definitions').selectAll().where('id', '=', id).executeTakeFirst()
    const values = await open
      .selectFrom('connection_instance_values')
      .selectAll()
      .where('connection_id', '=', id)
      .executeTakeFirst()
    return assemble(id, row, values, instance)
  }

  const read = async (accountId: string, id?: string): Promise<AccountConnection[]> => {
    const keyring = await vaultOf(accountId)
    const instance = await vaultOf(null)
    const own = <T extends OwnTable>(table: T) =>
      tables()
        .selectFrom(table as 'connection_credentials')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(id !== undefined, (query) => query.where('connection_id', '=', id as string))
        .execute() as unknown as Promise<ConnectionTables[T][]>
    const ofInstance = <T extends InstanceTable>(table: T) =>
      tables()
        .selectFrom(table as 'connection_sharing')
        .selectAll()
        .$if(id !== undefined, (query) => query.where('connection_id', '=', id as string))
        .execute() as unknown as Promise<ConnectionTables[T][]>
    const [rows, shared, sharing, sharedKeys, activations, credentials, catalogues, values] = await Promise.all([
      tables()
        .selectFrom('connection_definitions')
        .selectAll()
        .$if(id !== undefined, (query) => query.where('id', '=', id as string))
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
      ofInstance('connection_instance_values'),
      ofInstance('connection_sharing'),
      ofInstance('connection_shared_keys'),
      own('connection_activations'),
      own('connection_credentials'),
      own('connection_catalogues'),
      own('connection_values'),
    ])
    const groupIds = sharing.some(({ mode }) => mode === 'groups') ? await deps.groupsOf(accountId) : []
    const orNothing = <T>(open: () => T) => unlessUnreadable(open, null)
    const installed = new Map(rows.map((row) => [row.id, row]))
    const others = deps.bundled.filter((ownOne) => !installed.has(ownOne.id) && (id === undefined || ownOne.id === id))
    return [...installed.keys(), ...others.map((definition) => definition.id)].flatMap((name) => {
      const ownRow = <R extends { connection_id: string }>(list: readonly R[]) =>
        list.find((r) => r.connection_id === name)
      const known = unlessUnreadable(() => assemble(name, installed.get(name), ownRow(shared), instance), null)
      if (!known) return []
      const credential = ownRow(credentials)
      const catalogue = ownRow(catalogues)
      const usable = credential?.route === known.fingerprint
      const key = credential && usable ? orNothing(() => openKey(keyring, credential)) : null
      const saved = ownRow(values)
      const audience = audienceOf(ownRow(sharing), accountId, groupIds)
      const sharedKey = ownRow(sharedKeys)
      const activation = ownRow(activations)
      const state: AccountSettings = {
        activatedAt: activatedAt(activation, audience.sharedAt),
        shared: audience.sharedAt !== null,
        excluded: audience.excluded,
        sharedKey:
          audience.sharedAt !== null && sharedKey?.route === known.fingerprint
            ? orNothing(() => openSharedKey(instance, sharedKey))
            : null,
        key,
        keyElsewhere: credential !== undefined && key === null,
        values: saved ? (orNothing(() => ownValuesJson.open(keyring, idOf(saved), saved.document)) ?? {}) : {},
        // What was found at another route says nothing about this one.
        catalogue: catalogue?.route === known.fingerprint ? orNothing(() => toCatalogue(catalogue, keyring)) : null,
      }
      return [{ installed: known, own: state }]
    })
  }

  const vaultOf = (accountId: string | null) => deps.vault.keyring(accountId)
  const storeContext: StoreContext = { ...deps, tables, readInstalled }

  return {
    /** Every definition with what the account has of it: installed ones by age, then those that come with Atrium. */
    all: (accountId: string): Promise<AccountConnection[]> => read(accountId),

    /** Those that the account uses, in the order in which it began to. */
    active: async (accountId: string): Promise<AccountConnection[]> => inOrderOfUse(await read(accountId)),

    async one(accountId: string, id: string): Promise<AccountConnection | null> {
      return (await read(accountId, id))[0] ?? null
    },

    /** The ids of installed definitions that cannot be read: nothing can be done with them but to remove them. */
    async unreadable(): Promise<string[]> {
      const instance = await vaultOf(null)
      const rows = await tables().selectFrom('connection_definitions').selectAll().orderBy('id').execute()
      const read = readableOf(rows, ({ id, document }) => definitionJson.open(instance, id, document).id)
      return rows.map(({ id }) => id).filter((id) => !read.includes(id))
    },

    ...createDefinitionStore(storeContext),
    ...createKeyStore(storeContext),
    ...createValueStore(storeContext),
    ...createSharingStore(storeContext),
    ...createRequestStore(storeContext),
    ...createCatalogueStore(storeContext),
  }
}

const unreadableValues = 'Its saved address can’t be read. An administrator has to set or reset it.'

/** Since when a connection is on; null: it is off. What was switched off before it was shared is on again. */
const activatedAt = (row: ActivationRow | undefined, sharedAt: number | null): number | null => {
  if (row?.active === 1) return row.activated_at
  return row && sharedAt !== null && row.activated_at >= sharedAt ? null : sharedAt
}

/** What is in use, by the time since when. */
export const inOrderOfUse = (connections: readonly AccountConnection[]): AccountConnection[] =>
  connections
    .filter(({ own }) => own.activatedAt !== null)
    .sort((a, b) => (a.own.activatedAt ?? 0) - (b.own.activatedAt ?? 0))

type OwnTable = 'connection_activations' | 'connection_credentials' | 'connection_catalogues' | 'connection_values'
type InstanceTable = 'connection_instance_values' | 'connection_sharing' | 'connection_shared_keys'

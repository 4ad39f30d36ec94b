/** The destinations of the instance: one that the environment names, and those that administrators saved. */
import { BackupPlace, type BackupDestination, type BackupTrial } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import type { Settings } from '../../core/settings/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import type { HttpDestinationDeps } from '../../platform/backups/destinations/http.ts'
import { tryDestination } from '../../platform/backups/destinations/trial.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { hostAndPort, requireSoundAddress } from '../../platform/outbound/destination.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  addressOf,
  type EnvironmentPlace,
  openPlace,
  type SecretPlace,
} from '../../platform/backups/destinations/environment.ts'
import { isOnDisk } from './disks.ts'

export interface DestinationsDeps extends Pick<Platform, 'clock' | 'database' | 'outbound' | 'saved'> {
  readonly allowAddress: Settings['allowAddress']
  readonly dataDir: string
  /** Those that the environment names, and the way to them. */
  readonly fixed: readonly EnvironmentPlace[]
  readonly toFixed: HttpDestinationDeps['outbound']
}

const Saved = z.strictObject({
  id: z.string(),
  name: z.string(),
  place: BackupPlace,
  /** Empty for a folder. */
  secret: z.string(),
})
type Saved = z.infer<typeof Saved>
const Document = z.object({ destinations: z.array(Saved).default([]) })

interface Wish {
  readonly name: string
  readonly place: BackupPlace
  readonly secret?: string | undefined
  readonly allowPrivate?: boolean | undefined
}

const mostDestinations = 10

export const createDestinations = (deps: DestinationsDeps) => {
  const { clock, outbound } = deps
  const document = deps.saved.document('recovery-backup', Document)

  const listAll = async (): Promise<(Saved & Pick<BackupDestination, 'source'>)[]> => {
    const { destinations } = await document.read()
    const saved = destinations.map((one) => ({ ...one, source: 'saved' as const }))
    const fixed = deps.fixed.map(({ variable, ...one }) => ({ ...one, name: variable, source: 'environment' as const }))
    return [...fixed, ...saved]
  }
  const find = async (id: string) => {
    const found = (await listAll()).find((one) => one.id === id)
    if (!found) throw fail('backup_destination_not_found')
    return found
  }
  const toDestination = async ({
    id,
    name,
    place,
    source,
  }: Awaited<ReturnType<typeof find>>): Promise<BackupDestination> => ({
    id,
    name,
    source,
    place,
    onDataDisk: place.kind === 'folder' ? await isOnDisk(place.path, deps.dataDir) : false,
  })

  /** Judges the address before it is saved; a private one is put on the operator's list when the administrator says so. */
  const allow = async (place: BackupPlace, allowPrivate: boolean): Promise<void> => {
    const url = addressOf(place)
    if (url === null) return
    requireSoundAddress(url)
    try {
      await outbound.check(url)
    } catch (error) {
      if (!isRefusal(error) || !allowPrivate) throw error
      const allowance = await deps.allowAddress(hostAndPort(url))
      if (!allowance) return
      await deps.database.write((trx) => allowance.write(trx))
      await allowance.written()
    }
  }

  const save = async (id: string | null, wish: Wish): Promise<BackupDestination> => {
    await allow(wish.place, wish.allowPrivate === true)
    const saved: Saved = { id: id ?? clock.id(), name: wish.name, place: wish.place, secret: wish.secret ?? '' }
    await document.change(({ destinations }) => {
      const before = destinations.find((one) => one.id === id)
      if (id !== null && !before) throw fail('backup_destination_not_found')
      if (destinations.some((one) => one.name === wish.name && one.id !== id)) throw fail('backup_destination_taken')
      if (!before && destinations.length >= mostDestinations)
        throw fail('backup_destinations_full', `You already have ${mostDestinations} destinations. Remove one first.`)
      if (saved.place.kind === 'folder') saved.secret = ''
      else if (wish.secret === undefined) {
        // A secret belongs to one place: it is not said to another one that somebody names.
        if (!before || whoseSecret(before.place) !== whoseSecret(saved.place)) throw fail('backup_secret_needed')
        saved.secret = before.secret
      }
      return {
        destinations: before ? destinations.map((one) => (one.id === id ? saved : one)) : [...destinations, saved],
      }
    })
    return await toDestination({ ...saved, source: 'saved' })
  }

  const requireSaved = (id: string): void => {
    const fixed = deps.fixed.find((one) => one.id === id)
    if (fixed) throw fail('setting_locked', `This destination is set by ${fixed.variable} in the environment.`)
  }

  const open = ({ source, ...one }: SecretPlace & Pick<BackupDestination, 'source'>): Destination =>
    openPlace(one, { outbound: source === 'environment' ? deps.toFixed : outbound, now: clock.now })

  return {
    /** How many there are; asks none of them. */
    count: async (): Promise<number> => (await listAll()).length,
    list: async (): Promise<BackupDestination[]> => await Promise.all((await listAll()).map(toDestination)),
    /** Each with what it is called, to write to and to read from. */
    openAll: async (): Promise<{ id: string; name: string; destination: Destination }[]> =>
      (await listAll()).map((one) => ({ id: one.id, name: one.name, destination: open(one) })),
    add: (wish: Wish): Promise<BackupDestination> => save(null, wish),
    async update(id: string, wish: Wish): Promise<BackupDestination> {
      requireSaved(id)
      return await save(id, wish)
    },
    async remove(id: string): Promise<void> {
      requireSaved(id)
      await document.change(({ destinations }) => {
        if (!destinations.some((one) => one.id === id)) throw fail('backup_destination_not_found')
        return { destinations: destinations.filter((one) => one.id !== id) }
      })
    },
    async test(id: string, signal: AbortSignal): Promise<BackupTrial> {
      const destination = open(await find(id))
      const { ok, steps } = await tryDestination(destination, { id: clock.id(), now: clock.now, signal })
      // Beside the point where it cannot be told: the steps say what is wrong.
      const space = ok ? await destination.space?.().catch(() => undefined) : undefined
      return { ok, steps, space: space ?? null }
    },
  }
}
export type Destinations = ReturnType<typeof createDestinations>

const whoseSecret = (place: BackupPlace): string => {
  if (place.kind === 'folder') return ''
  if (place.kind === 's3') return `${new URL(place.endpoint).origin} ${place.accessKeyId}`
  return `${new URL(place.url).origin} ${place.username}`
}

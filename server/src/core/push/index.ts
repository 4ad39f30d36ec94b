/**
 * Push: browsers that are told something while no page is open. A browser is bound to the session that turned it on, and
 * gone with it. It keeps no words: a job asks for them when it sends, so that what was read meanwhile is not sent. It
 * refuses push services on private networks, and tells nobody what a browser is known by.
 */
import type { PushDevice, pushRoutes } from '@atrium/contract/push'
import { defaultLanguage, type Language } from '@atrium/contract/languages'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundDeclarations } from '../../platform/settings/index.ts'
import { createSlot } from '../../platform/slot.ts'
import { createVapidKeys, isPoint } from './keys.ts'
import { pushLocales } from './locales/index.ts'
import type { PushMessage } from './message.ts'
import { createPushJob, pushJob } from './send-job.ts'
import { sendPush } from './send.ts'
import type { pushSettings } from './settings.ts'
import { createPushStore, type StoredDevice } from './store.ts'

export { pushSettings } from './settings.ts'
export { pushMigrations, pushSealed } from './tables.ts'
export type { PushMessage } from './message.ts'

export interface PushDeps extends Pick<Platform, 'announce' | 'clock' | 'database' | 'log' | 'saved' | 'vault'> {
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** To public addresses only: anybody can name one. */
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
  readonly settings: BoundDeclarations<typeof pushSettings>
  readonly accounts: {
    isSessionLive(sessionId: string): Promise<boolean>
    onSessionEnded(listener: (sessionId: string) => void): () => void
  }
  /** null: the account chose none. */
  readonly languageOf: (accountId: string) => Promise<Language | null>
  readonly workspaceName: () => Promise<string>
  /** Where people find this instance; null while nobody said. */
  readonly address: () => Promise<string | null>
}

/** Somebody is to be told of a notification that came at a time (milliseconds). */
export interface PushDelivery {
  readonly id: string
  readonly accountId: string
  readonly notificationId: string
  readonly at: number
}

/** What a message says of a notification now; null where it was read, or taken back. */
export type MessageOf = (accountId: string, notificationId: string, language: Language) => Promise<PushMessage | null>

export const createPush = (deps: PushDeps) => {
  const { accounts, announce, clock, elsewhere, jobs, log, settings } = deps
  const store = createPushStore(deps)
  const messages = createSlot<MessageOf>('What push messages say')
  const keys = createVapidKeys({ saved: deps.saved, variables: settings })
  const subject = async (): Promise<string> => {
    const address = await deps.address()
    return settings.VAPID_SUBJECT ?? (address?.startsWith('https://') ? address : noSubject)
  }
  const sendDeps = { outbound: elsewhere, clock, keys, subject }
  const languageOf = async (accountId: string) => (await deps.languageOf(accountId)) ?? defaultLanguage
  const changed = (accountId: string) => announce(accountId, { type: 'push-devices-changed', data: {} })
  const drop = async ({ id, accountId }: Pick<StoredDevice, 'id' | 'accountId'>): Promise<void> => {
    if (await store.remove(accountId, { id })) await changed(accountId)
  }

  const handlers: Handlers<typeof pushRoutes> = {
    publicKey: async () => ({ publicKey: (await keys()).publicKey }),

    async devices(_, { caller }) {
      const devices = await store.list(caller.accountId, clock.now())
      return { items: devices.map((device) => toPushDevice(device, caller.sessionId)), nextCursor: null }
    },

    async subscribe({ body }, { caller: { accountId, sessionId }, userAgent }) {
      if (!isPoint(body.keys.p256dh)) throw fail('push_refused')
      await elsewhere.check(body.endpoint)
      const { publicKey } = await keys()
      const device = { id: clock.id(), accountId, sessionId, subscription: body, userAgent, publicKey }
      const stored = await store.put(device, clock.now())
      await changed(accountId)
      return toPushDevice(stored, sessionId)
    },

    async unsubscribe({ body }, { caller: { accountId } }) {
      const removed = await store.remove(accountId, body)
      if (removed) await changed(accountId)
      return { removed }
    },

    async test({ body: { id } }, { caller: { accountId }, signal }) {
      const device = await store.find(id)
      if (device?.accountId !== accountId) throw fail('push_device_not_found')
      const language = await languageOf(accountId)
      const { testTitle, testBody } = pushLocales[language]
      const message: PushMessage = {
        title: testTitle,
        body: testBody.replace('{workspace}', await deps.workspaceName()),
        href: '/settings/push',
        tag: 'test',
        language,
        at: clock.now(),
        urgency: 'high',
        ttlSeconds: 60,
      }
      const { outcome, status } = await sendPush(sendDeps, device.subscription, message, signal)
      if (outcome === 'gone') await drop(device)
      if (outcome === 'sent') await store.markUsed(id, clock.now())
      return { outcome, status }
    },
  }

  const stopWatching = accounts.onSessionEnded((sessionId) => {
    // Every process hears of it. Where none could, the browser is dropped when something is sent to it.
    store.removeSession(sessionId).catch((error: unknown) => log.warn('A browser could not be removed', { error }))
  })

  return {
    handlers,
    jobs: {
      [pushJob]: createPushJob({
        ...sendDeps,
        store,
        drop,
        enqueue: jobs.enqueue,
        isSessionLive: accounts.isSessionLive,
        messageOf: async (accountId, notificationId) =>
          messages.get()(accountId, notificationId, await languageOf(accountId)),
      }),
    },
    accountRemoved: store.removeAccount,
    stop: stopWatching,
    api: {
      /** Filled by what knows notifications. */
      messages,
      /** Has every browser of an account told of a notification; gives how many. The same delivery twice is told once. */
      async deliver({ id, accountId, notificationId, at }: PushDelivery): Promise<number> {
        const devices = await store.list(accountId, clock.now())
        for (const { id: deviceId } of devices)
          await jobs.enqueue(
            pushJob,
            { deviceId, notificationId, begunAt: at },
            { accountId: null, key: `${deviceId} ${id}` },
          )
        return devices.length
      },
      /** For the export of an account: nothing that could write to a browser is in it. */
      devicesOf: async (accountId: string): Promise<Omit<PushDevice, 'current'>[]> =>
        (await store.list(accountId, clock.now())).map((device) => {
          const { current: _, ...told } = toPushDevice(device, '')
          return told
        }),
    },
  }
}
export type Push = ReturnType<typeof createPush>['api']

/** Push services want to be told whom to ask (RFC 8292, 2.1), and take no address that is none. */
const noSubject = 'mailto:nobody@invalid.example'

const toPushDevice = (device: StoredDevice, sessionId: string): PushDevice => ({
  id: device.id,
  userAgent: device.userAgent,
  createdAt: new Date(device.createdAt).toISOString(),
  lastUsedAt: device.lastUsedAt === null ? null : new Date(device.lastUsedAt).toISOString(),
  current: device.sessionId === sessionId,
})

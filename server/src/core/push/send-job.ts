/** Sends one notification to one browser, again and again for as long as it is worth telling. */
import { z } from 'zod'
import type { Jobs } from '../../platform/jobs/types.ts'
import { defineJob, JobFailure } from '../../platform/jobs/types.ts'
import { OutboundFailure } from '../../platform/outbound/types.ts'
import type { PushMessage } from './message.ts'
import { type SendDeps, sendPush } from './send.ts'
import type { PushStore, StoredDevice } from './store.ts'

export const pushJob = 'push.send'

/** `begunAt`: milliseconds. */
const Payload = z.strictObject({ deviceId: z.string(), notificationId: z.string(), begunAt: z.number() })

export interface PushJobDeps extends SendDeps {
  readonly store: Pick<PushStore, 'find' | 'markUsed'>
  readonly enqueue: Jobs['enqueue']
  /** Forgets a browser. */
  readonly drop: (device: StoredDevice) => Promise<void>
  readonly isSessionLive: (sessionId: string) => Promise<boolean>
  readonly messageOf: (accountId: string, notificationId: string) => Promise<PushMessage | null>
}

export const createPushJob = (deps: PushJobDeps) => {
  const { clock, drop, enqueue, isSessionLive, keys, messageOf, store } = deps
  return defineJob({
    payload: Payload,
    // The waits grow to five minutes: some two hours in all.
    attempts: 30,
    timeoutMs: 60_000,
    outward: true,
    async run(payload, { signal }) {
      const { deviceId, notificationId, begunAt } = payload
      const device = await store.find(deviceId)
      if (!device) return
      const isUseful = (await isSessionLive(device.sessionId)) && device.publicKey === (await keys()).publicKey
      if (!isUseful) return await drop(device)
      const message = await messageOf(device.accountId, notificationId)
      const endsAt = begunAt + (message?.ttlSeconds ?? 0) * 1000
      if (!message || clock.now() > endsAt) return
      const sent = await sendPush(deps, device.subscription, message, signal)
      switch (sent.outcome) {
        case 'sent':
          return await store.markUsed(deviceId, clock.now())
        case 'gone':
          return await drop(device)
        case 'refused':
          throw new JobFailure('push_refused', 'The push service does not take this message.')
        case 'later':
          if (sent.waitMs === null) throw new OutboundFailure('unreachable', 'The push service took no message.')
          // As late as the service says, not as the queue would.
          await enqueue(pushJob, payload, { accountId: null, delayMs: sent.waitMs })
      }
    },
  })
}

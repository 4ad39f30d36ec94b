/** The pair of keys that push services know this instance by (RFC 8292): of the environment, or made once and kept sealed. */
import { createECDH } from 'node:crypto'
import { z } from 'zod'
import type { BoundDeclarations, SavedSettings } from '../../platform/settings/index.ts'
import type { pushSettings } from './settings.ts'

export interface VapidKeys {
  /** An uncompressed point of P-256, base64url. */
  readonly publicKey: string
  /** 32 bytes, base64url. */
  readonly privateKey: string
}

const Saved = z.strictObject({ publicKey: z.string().optional(), privateKey: z.string().optional() })
type Saved = z.infer<typeof Saved>

/** Gives the keys; the same ones in every process. */
export const createVapidKeys = ({
  saved,
  variables,
}: {
  readonly saved: Pick<SavedSettings, 'document'>
  readonly variables: Pick<BoundDeclarations<typeof pushSettings>, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY'>
}): (() => Promise<VapidKeys>) => {
  const kept = saved.document<Saved>('push-keys', Saved)
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = variables
  if (publicKey && privateKey) {
    const pair = { publicKey, privateKey }
    return async () => pair
  }
  return async () =>
    wholeOf(await kept.read()) ??
    // Two processes may come here at once: the first one's keys stand.
    wholeOf(await kept.change((before) => wholeOf(before) ?? makeKeys())) ??
    makeKeys()
}

const wholeOf = ({ publicKey, privateKey }: Saved): VapidKeys | null =>
  publicKey && privateKey ? { publicKey, privateKey } : null

const makeKeys = (): VapidKeys => {
  const curve = createECDH('prime256v1')
  const publicKey = curve.generateKeys('base64url')
  // Leading zeros are left out there.
  const privateKey = Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
  return { publicKey, privateKey }
}

/** Whether a key is a point of P-256, so that something can be encrypted for whoever has the other half. */
export const isPoint = (publicKey: string): boolean => {
  try {
    const curve = createECDH('prime256v1')
    curve.generateKeys()
    curve.computeSecret(Buffer.from(publicKey, 'base64url'))
    return true
  } catch {
    return false
  }
}

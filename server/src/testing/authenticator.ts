/** A device with passkeys, in software: makes and shows ES256 credentials as WebAuthn level 3 has them, or wrongly. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface MadeKey {
  readonly id: string
  readonly key: KeyObject
  readonly userHandle: string
  count: number
}

/** What a test gets wrong on purpose. */
export interface Quirks {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  /** Flags of the authenticator data: 1 present, 4 verified, 64 with a credential. */
  readonly flags?: number
  readonly userHandle?: string | null
  readonly crossOrigin?: unknown
  readonly topOrigin?: string
  /** Stands behind the attestation. */
  readonly trailing?: Uint8Array
  /** Where a new credential begins to count; 0 is for those that never do. */
  readonly count?: number
  /** The id of a new credential, where it is not by chance. */
  readonly id?: string
  /** The attestation in place of none. */
  readonly attestation?: { readonly fmt: string; readonly statement: Map<string, unknown> }
}

type Options = { readonly publicKey: Record<string, unknown> }

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export const createAuthenticator = (origin: string) => {
  const clientData = (type: string, { publicKey }: Options, quirks: Quirks): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? publicKey['challenge'],
        origin: quirks.origin ?? origin,
        crossOrigin: quirks.crossOrigin ?? false,
        topOrigin: quirks.topOrigin,
      }),
    )
  const head = (rpId: string, flags: number, count: number): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
  }

  return {
    /** A new credential, and what the browser sends of it. */
    make(options: Options, quirks: Quirks = {}) {
      const { publicKey: wanted } = options
      const rp = wanted['rp'] as { id: string }
      const user = wanted['user'] as { id: string }
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const id = quirks.id ? Buffer.from(quirks.id, 'base64url') : randomBytes(32)
      // COSE: EC2, ES256, P-256.
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const made: MadeKey = { id: base64url(id), key: privateKey, userHandle: user.id, count: quirks.count ?? 1 }
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = Buffer.concat([
        head(quirks.rpId ?? rp.id, quirks.flags ?? 1 + 4 + 64, made.count),
        ...[Buffer.alloc(16), length, id, isoCBOR.encode(cose as never)],
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', quirks.attestation?.fmt ?? 'none'],
        ['attStmt', quirks.attestation?.statement ?? new Map()],
        ['authData', new Uint8Array(data)],
      ])
      const credential = {
        id: made.id,
        rawId: made.id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, quirks)),
          attestationObject: base64url(
            Buffer.concat([isoCBOR.encode(attestation as never), quirks.trailing ?? Buffer.alloc(0)]),
          ),
          transports: ['internal'],
        },
      }
      return { made, credential }
    },

    /** Shows a credential, which counts on by one unless its count is told. */
    show(made: MadeKey, options: Options, quirks: Quirks = {}, count = ++made.count) {
      const client = clientData('webauthn.get', options, quirks)
      const data = head(quirks.rpId ?? String(options.publicKey['rpId']), quirks.flags ?? 1 + 4, count)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), made.key)
      return {
        id: made.id,
        rawId: made.id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: quirks.userHandle === undefined ? made.userHandle : quirks.userHandle,
        },
      }
    },
  }
}

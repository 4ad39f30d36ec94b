/**
 * A push service for tests (RFC 8030), with one browser that subscribed: checks who sends (RFC 8292) and opens what came
 * (RFC 8291) with libraries that know nothing of the sender's.
 */
import { createECDH, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import ece from 'http_ece'
import { importJWK, jwtVerify } from 'jose'
import { makeCertificate } from '../../server/src/testing/certificate.ts'

export interface PushedMessage {
  /** What the worker would get. */
  readonly payload: unknown
  readonly ttl: string | undefined
  readonly urgency: string | undefined
  readonly topic: string | undefined
  /** The claims of whoever sent it, and the key that signed them. */
  readonly sender: { readonly subject: string | undefined; readonly publicKey: string }
}

export interface PushAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
}

export interface PushService {
  /** PEM: what has to be trusted for a message to come. */
  readonly certificate: string
  /** `host:port`. */
  readonly place: string
  /** What a browser that subscribed tells the app. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  readonly messages: readonly PushedMessage[]
  /** What it could not open or would not believe. */
  readonly faults: readonly string[]
  /** How often it was called. */
  readonly calls: number
  /** Answers the next calls so, one after the other. */
  answerNext(...answers: readonly PushAnswer[]): void
  close(): Promise<void>
}

export const startPushService = async (): Promise<PushService> => {
  const { key, cert } = makeCertificate()
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16)
  const messages: PushedMessage[] = []
  const faults: string[] = []
  const answers: PushAnswer[] = []
  let calls = 0

  const take = async (request: IncomingMessage, origin: string): Promise<void> => {
    const sender = await senderOf(request.headers.authorization ?? '', origin)
    const { 'content-encoding': encoding, ttl, urgency, topic } = request.headers
    if (encoding !== 'aes128gcm') throw new Error(`encoded as ${encoding}`)
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const plain = ece.decrypt(Buffer.concat(pieces), {
      version: 'aes128gcm',
      privateKey: browser,
      authSecret: auth.toString('base64url'),
    })
    const text = (name: string | string[] | undefined) => (typeof name === 'string' ? name : undefined)
    messages.push({
      payload: JSON.parse(plain.toString()),
      ttl: text(ttl),
      urgency: text(urgency),
      topic: text(topic),
      sender,
    })
  }

  const server = createServer({ key, cert }, (request, response) => {
    calls += 1
    void take(request, origin).then(
      () => {
        const { status, headers = {} } = answers.shift() ?? { status: 201 }
        response.writeHead(status, headers).end()
      },
      (error: unknown) => {
        faults.push(String(error))
        response.writeHead(400).end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  const place = `localhost:${port}`
  const origin = `https://${place}`

  return {
    certificate: cert,
    place,
    subscription: {
      endpoint: `${origin}/push/${randomBytes(16).toString('base64url')}`,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    messages,
    faults,
    get calls() {
      return calls
    },
    answerNext: (...next) => void answers.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** `vapid t=<JWT>, k=<public key>`: signed with that key, for this service, for a day at most. */
const senderOf = async (authorization: string, audience: string): Promise<PushedMessage['sender']> => {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
  const { payload } = await jwtVerify(token, key, { audience, requiredClaims: ['exp', 'sub'] })
  if ((payload.exp ?? 0) * 1000 > Date.now() + 24 * 3600_000) throw new Error('valid for more than a day')
  return { subject: payload.sub, publicKey }
}

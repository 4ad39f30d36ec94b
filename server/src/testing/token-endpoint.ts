/** A token endpoint of a vendor, for tests of the sign-in: real HTTP, one-use refresh tokens, tokens that tell when they end. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TokenEndpoint {
  readonly url: string
  readonly address: string
  /** Bodies of the requests, oldest first. */
  readonly asked: readonly Record<string, unknown>[]
  /** Answers with this status from now on; 200: with tokens. */
  answer(status: number, body?: string): void
  /** How long an answer takes, in milliseconds. */
  delay(ms: number): void
  /** Answers nothing until the function that it gives is called. */
  hold(): () => void
  /** Says which refresh token it takes next. */
  accept(refreshToken: string): void
  close(): Promise<void>
}

/** `endsAt`: when a token that it gives ends, in milliseconds. */
export async function startTokenEndpoint(options: { refreshToken: string; endsAt: () => number }) {
  const asked: Record<string, unknown>[] = []
  let good = options.refreshToken
  let status = 200
  let refusal = '{"error":"invalid_grant","secret":"leaked-from-the-endpoint"}'
  let delayMs = 0
  let held: Promise<void> | null = null
  let count = 0
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    const answer = async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
      asked.push(body)
      await held
      setTimeout(() => {
        const taken = status === 200 && body['grant_type'] === 'refresh_token' && body['refresh_token'] === good
        if (!taken) return void res.writeHead(status === 200 ? 400 : status).end(refusal)
        count += 1
        good = `refresh-${count}-of-the-endpoint`
        const access_token = accessToken(options.endsAt(), `access-${count}`)
        res.writeHead(200, { 'content-type': 'application/json' })
        res.end(JSON.stringify({ access_token, refresh_token: good, id_token: `id-${count}` }))
      }, delayMs)
    }
    req.on('end', () => void answer())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const endpoint: TokenEndpoint = {
    url: `http://${address}/oauth/token`,
    address,
    asked,
    answer(next, body = refusal) {
      status = next
      refusal = body
    },
    delay(ms) {
      delayMs = ms
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    accept(refreshToken) {
      good = refreshToken
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return endpoint
}

/** An access token as such vendors make them: three parts, the middle one says when it ends. */
export function accessToken(endsAt: number, name: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { exp: Math.floor(endsAt / 1000), jti: name }
  return `${part({ alg: 'none' })}.${part({ ...claims, 'https://api.openai.com/auth': { chatgpt_account_id: 'account-7' } })}.${name}`
}

/**
 * The server under measurement: the app as it ships, with rates out of the way and accounts made beforehand, because
 * one account may not ask two hundred things at once. Tells its parent the address and a token per account.
 */
import { type LimitName, limits } from '../contract/src/route.ts'
import { createApp } from '../server/src/app/app.ts'
import { configFromEnv } from '../server/src/app/config.ts'

const { BENCH_ACCOUNTS: count = '1', ...env } = process.env
const wide = Object.fromEntries(
  Object.keys(limits).map((name) => [name, { max: 10_000_000, windowMs: 60_000 }]),
) as Record<LimitName, { max: number; windowMs: number }>

const app = await createApp(configFromEnv(env), { limits: wide })
const url = await app.listen()
const password = 'a long enough password'
const tokens: string[] = []
for (let n = 0; n < Number(count); n += 1) {
  const username = `person${n}`
  await app.accounts.createAccount({ username, password, role: n === 0 ? 'admin' : 'user' })
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  tokens.push(((await answer.json()) as { token: string }).token)
}
process.send?.({ url, tokens })
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/**
 * The server under measurement: the app as it ships, with rates out of the way and accounts made beforehand, because
 * one account may not ask two hundred things at once. Tells its parent the address and a token per account; later, at
 * every message, how late its event loop was since the message before.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createApp } from '../server/src/app/app.ts'
import { configFromEnv } from '../server/src/app/config.ts'
import { collectWhenIdle } from '../server/src/platform/work/idle-memory.ts'
import { quickHashes } from '../server/src/testing/accounts.ts'
import { wide } from './wide.ts'

const { BENCH_ACCOUNTS: count = '1', ...env } = process.env

// Their passwords are of no account here, and hashing a thousand takes minutes.
const app = await createApp(configFromEnv(env), { limits: wide, passwordCosts: quickHashes })
const url = await app.listen()
collectWhenIdle()
const password = 'a long enough password'
const makeAccount = async (n: number): Promise<string> => {
  const username = `person${n}`
  await app.accounts.createAccount({ username, password, role: n === 0 ? 'admin' : 'user' })
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return ((await answer.json()) as { token: string }).token
}
const tokens = [await makeAccount(0)]
// Some at a time: most of it is the hashing of passwords, on threads of their own.
for (let n = 1; n < Number(count); n += 4)
  tokens.push(
    ...(await Promise.all(Array.from({ length: Math.min(4, Number(count) - n) }, (_, i) => makeAccount(n + i)))),
  )
process.send?.({ url, tokens })
const everyMs = 2
const delay = monitorEventLoopDelay({ resolution: everyMs })
delay.enable()
process.on('message', () => {
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - everyMs)
  process.send?.({ p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) })
  delay.reset()
})
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/** The app with its rates out of the way, for tests that fill it with more than a person writes in an hour. */
import { type LimitName, limits } from '@atrium/contract/route'
import { createApp } from '../../server/src/app/app.ts'
import { configFromEnv } from '../../server/src/app/config.ts'

const wide = Object.fromEntries(
  Object.keys(limits).map((name) => [name, { max: 1_000_000, windowMs: 60_000 }]),
) as Record<LimitName, { max: number; windowMs: number }>

const app = await createApp(configFromEnv(process.env), { limits: wide })
await app.listen()
process.once('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/** One of several processes under measurement: the app as it ships, with rates out of the way. */
import { type LimitName, limits } from '../../contract/src/route.ts'
import { createApp } from '../../server/src/app/app.ts'
import { configFromEnv } from '../../server/src/app/config.ts'

const wide = Object.fromEntries(
  Object.keys(limits).map((name) => [name, { max: 10_000_000, windowMs: 60_000 }]),
) as Record<LimitName, { max: number; windowMs: number }>

const app = await createApp(configFromEnv({ ...process.env, LOG_LEVEL: 'silent' }), { limits: wide })
console.log(`Atrium is ready at ${await app.listen()}`)
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

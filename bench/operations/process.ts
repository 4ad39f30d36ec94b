/** One of several processes under measurement: the app as it ships, with rates out of the way. */
import { createApp } from '../../server/src/app/app.ts'
import { configFromEnv } from '../../server/src/app/config.ts'
import { wide } from '../wide.ts'

const app = await createApp(configFromEnv({ ...process.env, LOG_LEVEL: 'silent' }), { limits: wide })
console.log(`Atrium is ready at ${await app.listen()}`)
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/** The app with a clock that leaps an hour ahead at each SIGUSR2, for tests of what happens after a long while. */
import { join } from 'node:path'
import { createApp } from '../../server/src/app/app.ts'
import { configFromEnv } from '../../server/src/app/config.ts'
import { createIds } from '../../server/src/platform/system-clock.ts'

let ahead = 0
const now = () => Date.now() + ahead
process.on('SIGUSR2', () => (ahead += 60 * 60_000))

const app = await createApp(configFromEnv(process.env), {
  clock: { now, id: createIds(now) },
  staticFolder: join(import.meta.dirname, '..', '..', 'web', 'dist'),
})
await app.listen()
process.once('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/**
 * Opens and closes built apps as its worker asks, one after the other or side by side: loading and compiling the server
 * takes longer than all else of a start, and is done once.
 */
import { join } from 'node:path'
import type { App, createApp as CreateApp } from '../../server/src/app/app.ts'
import type { configFromEnv as ConfigFromEnv } from '../../server/src/app/config.ts'

/** `open`: the configuration of an app to open, null to close the one at this port. */
export interface HostRequest {
  readonly port: number
  readonly open: Readonly<Record<string, string>> | null
}

/** `url`: of the app, empty once it is closed. */
export interface HostAnswer {
  readonly port: number
  readonly url: string
  readonly problem?: string
}

const root = join(import.meta.dirname, '..', '..')
const built = join(root, 'server', 'dist')
const { createApp } = (await import(join(built, 'app.js'))) as { createApp: typeof CreateApp }
const { configFromEnv } = (await import(join(built, 'config.js'))) as { configFromEnv: typeof ConfigFromEnv }
const staticFolder = join(root, 'web', 'dist')
const apps = new Map<number, App>()

const fulfil = async ({ port, open }: HostRequest): Promise<string> => {
  if (!open) {
    await apps.get(port)?.stop()
    apps.delete(port)
    return ''
  }
  const app = await createApp(configFromEnv(open), { staticFolder })
  apps.set(port, app)
  return await app.listen()
}

process.on('message', (request: HostRequest) => {
  const { port } = request
  const answer = (rest: Omit<HostAnswer, 'port'>) => process.send?.({ port, ...rest })
  fulfil(request).then(
    (url) => answer({ url }),
    (error: unknown) =>
      answer({ url: '', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
// The worker has ended.
process.once('disconnect', () => process.exit())

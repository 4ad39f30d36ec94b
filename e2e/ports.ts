/** Where the apps of one process listen. */
import { createServer } from 'node:net'

/** Ports that no system gives to connections of its own accord, so that one is free again when its app was closed. */
const lowest = 20_000
const inUse = new Set<number>()
let usual = lowest + Math.floor(Math.random() * 10_000)

/** Apps of one process that follow one another have one origin, so that a browser keeps what it compiled of the first. */
export async function portOfNext(): Promise<number> {
  const wanted = inUse.has(usual) ? 0 : usual
  const port = (await freePort(wanted)) ?? (await freePort(0))
  if (port === null) throw new Error('no port')
  if (wanted !== 0) usual = port
  inUse.add(port)
  return port
}

/** Says that the app at a port was closed. */
export const freePortAgain = (port: number): void => void inUse.delete(port)

/** The port when it is free, null when it is not; 0 stands for any. */
const freePort = (wanted: number): Promise<number | null> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(address && typeof address === 'object' ? address.port : null))
    })
  })

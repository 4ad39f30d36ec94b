/** Measures the way from this browser to the server, and has the server judge it. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { type DoctorCheck, type Measurements, doctorRoutes } from '@atrium/contract/doctor'
import { measureBody, measureQuiet, measureStream, probeBodyBytes } from '@atrium/contract/measure'
import { call } from '../../../api/client.ts'

const quietSeconds = 30
const openMs = 10_000

/** What can be known within a few seconds. */
export async function checkWay(token: string): Promise<DoctorCheck[]> {
  const { origin } = location
  const [stream, opened] = await Promise.all([measureStream(origin, token), opensWebSocket()])
  // Not beside the stream, whose times would be those of the body.
  const body = await measureBody(origin, token, probeBodyBytes)
  return await judge(token, { stream, body, webSocket: { opened } })
}

/** Whether an answer arrives that takes half a minute to begin. */
export async function checkTimeout(token: string): Promise<DoctorCheck[]> {
  const quiet = await measureQuiet(location.origin, token, quietSeconds)
  const checks = await judge(token, { quiet })
  return checks.filter(({ id }) => id === 'proxy-timeout')
}

async function judge(token: string, measured: Omit<Measurements, 'origin'>): Promise<DoctorCheck[]> {
  const { checks } = await call(doctorRoutes.judge, {
    query: { token },
    body: { origin: location.origin, ...measured },
  })
  return checks
}

async function opensWebSocket(): Promise<boolean> {
  const { ticket } = await call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
  const address = new URL(`/ws?${new URLSearchParams({ ticket })}`, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address)
  return await new Promise<boolean>((resolve) => {
    const end = (opened: boolean) => {
      clearTimeout(timer)
      socket.close()
      resolve(opened)
    }
    const timer = setTimeout(end, openMs, false)
    socket.addEventListener('open', () => end(true))
    socket.addEventListener('error', () => end(false))
  })
}

/** The doctor on the command line, beside a running server or without one. It changes nothing. */
import { parseArgs } from 'node:util'
import { type DoctorCheck, DoctorReport, doctorRoutes, type Measurements } from '@atrium/contract/doctor'
import { measureBody, measureQuiet, measureStream, probeBodyBytes } from '@atrium/contract/measure'
import { signToken } from '../../features/doctor/token.ts'
import { keyCardOf, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { type Config, ConfigError, keyOptionsOf } from '../config.ts'
import { localAddress } from '../local-address.ts'
import { checkAtRest } from './at-rest.ts'
import { writeChecks } from './write.ts'
import { opensWebSocket } from './web-socket.ts'

/** All is well; something must be done; it cannot be looked at. */
const codes = { well: 0, wrong: 1, blind: 2 } as const

const help = `npm run doctor [-- --url https://chat.example.org] [--quiet-seconds 30] [--json]
  --url            the address that people use, where BASE_URL does not say it
  --quiet-seconds  how long a silent answer must survive on its way (0 to 120)
  --json           the checks as JSON`

/** Gives the exit code. `write` takes what goes to standard output. */
export const runDoctor = async (
  args: readonly string[],
  readConfig: () => Config,
  write: (text: string) => void,
): Promise<number> => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        'quiet-seconds': { type: 'string', default: '30' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      write(help)
      return codes.well
    }
    const quietSeconds = Number(values['quiet-seconds'])
    if (!(Number.isInteger(quietSeconds) && quietSeconds >= 0 && quietSeconds <= 120))
      throw new Error('--quiet-seconds takes a whole number from 0 to 120.')
    if (values.url !== undefined && !/^https?:$/.test(URL.parse(values.url)?.protocol ?? ''))
      throw new Error('--url takes an address such as https://chat.example.org.')
    const checks = await collectChecks(readConfig, { url: values.url, quietSeconds })
    write(values.json ? JSON.stringify({ checks }, null, 2) : writeChecks(checks))
    return checks.some(({ status }) => status === 'fail') ? codes.wrong : codes.well
  } catch (error) {
    write(`This cannot be looked at. ${(error as Error).message}`)
    return codes.blind
  }
}

interface Look {
  readonly url: string | undefined
  readonly quietSeconds: number
}

const collectChecks = async (readConfig: () => Config, look: Look): Promise<DoctorCheck[]> => {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [checkOf('configuration', 'fail', error.message)]
  }
  const direct = localAddress(config)
  const report = await askServer(config, direct)
  if (report === null) {
    const away = `No server answers at ${direct}: mail, providers, jobs and the way to the server were not looked at.`
    return [checkOf('server', 'warn', away), ...(await checkAtRest(config))]
  }
  if (report === 'foreign') {
    return [
      checkOf(
        'server',
        'fail',
        `What answers at ${direct} is no Atrium with this encryption key. Check PORT, DATA_DIR and ENCRYPTION_KEY.`,
      ),
    ]
  }
  const origin = new URL(look.url ?? config.baseUrl?.origin ?? direct).origin
  return [...report.checks, ...(await checkWay(origin, report.probeToken, look.quietSeconds, direct))]
}

/** null where nothing answers; `foreign` where what answers does not take the key of this instance. */
const askServer = async (config: Config, direct: string): Promise<DoctorReport | 'foreign' | null> => {
  const found = await loadInstanceKey({ ...keyOptionsOf(config), databaseExists: true }).catch(
    // `checkAtRest` says what is wrong with the key.
    () => null,
  )
  const token = found ? signToken(keyCardOf(found), 'operator', Date.now() + 60_000) : 'none'
  const response = await fetch(`${direct}${doctorRoutes.operatorReport.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(30_000),
  }).catch(
    // Nothing listens, or it does not speak HTTP: `server` tells it.
    () => null,
  )
  if (response === null) return null
  const answer: unknown = response.ok ? await response.json().catch(() => null) : null
  return DoctorReport.safeParse(answer).data ?? 'foreign'
}

/** Measures the way to the server at an address, and has the server judge it. */
const checkWay = async (
  origin: string,
  token: string,
  quietSeconds: number,
  direct: string,
): Promise<DoctorCheck[]> => {
  const silence = measureQuiet(origin, token, quietSeconds)
  const [stream, opened] = await Promise.all([measureStream(origin, token), opensWebSocket(origin)])
  // Not beside the stream, whose times would be those of the body.
  const body = await measureBody(origin, token, probeBodyBytes)
  const quiet = await silence
  const measured: Measurements = { origin, stream, quiet, body, webSocket: { opened } }
  const path = `${doctorRoutes.judge.path}?${new URLSearchParams({ token })}`
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(measured),
    signal: AbortSignal.timeout(30_000),
  }).catch(
    // Told in the next line, with the address.
    () => null,
  )
  const judged = response?.ok
    ? doctorRoutes.judge.returns.safeParse(await response.json().catch(() => null)).data
    : null
  if (judged) return judged.checks
  const why = response ? `it answers with status ${response.status}` : 'nothing answers'
  return [
    checkOf(
      'address',
      'fail',
      `The server at ${direct} cannot be reached at ${origin}: ${why}. Check the proxy, and BASE_URL.`,
    ),
  ]
}

const checkOf = (id: string, status: DoctorCheck['status'], message: string): DoctorCheck => ({
  id,
  status,
  message,
  fixes: [],
})

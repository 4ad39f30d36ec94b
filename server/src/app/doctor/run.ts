/** The doctor on the command line, beside a running server or without one. It changes nothing. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type DoctorCheck, DoctorReport, doctorRoutes } from '@atrium/contract/doctor'
import { signToken } from '../../features/doctor/token.ts'
import { keyCardOf, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { type Config, ConfigError, keyOptionsOf } from '../config.ts'
import { localAddress } from '../local-address.ts'
import { checkAtRest } from './at-rest.ts'
import { checkWay } from './way.ts'
import { checkOf, writeChecks } from './write.ts'

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
    const message = `This can’t be checked. ${(error as Error).message}`
    write(args.includes('--json') ? JSON.stringify({ error: message }) : message)
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
  if (report === 'away') {
    const away = `No server responds at ${direct}, so mail, providers, jobs and the way to the server weren’t checked.`
    return [checkOf('server', 'warn', away), ...(await checkAtRest(config))]
  }
  if (report === 'foreign') {
    return [
      checkOf(
        'server',
        'fail',
        `${direct} doesn’t answer as an Atrium server with this encryption key. Check PORT, DATA_DIR and ENCRYPTION_KEY.`,
      ),
    ]
  }
  if ('failed' in report) return [checkOf('server', 'fail', report.failed)]
  const origin = new URL(look.url ?? config.baseUrl?.origin ?? direct).origin
  const way = await checkWay(origin, { token: report.probeToken, quietSeconds: look.quietSeconds, direct })
  // Of the certificate counts what is seen from here: the server may not reach its own public address.
  const seen = new Set(way.map(({ id }) => id))
  return [...report.checks.filter(({ id }) => !seen.has(id)), ...way]
}

/**
 * `away` where nothing answers; `foreign` where what answers does not take the key of this instance. Throws where it
 * cannot be asked: without the key, or too often.
 */
const askServer = async (
  config: Config,
  direct: string,
): Promise<DoctorReport | { readonly failed: string } | 'away' | 'foreign'> => {
  const key = await loadInstanceKey({ ...keyOptionsOf(config), databaseExists: true }).catch(
    // Told below where a server answers; where none does, `checkAtRest` says what is wrong with the key.
    (error: Error) => error,
  )
  const token = key instanceof Error ? 'none' : signToken(keyCardOf(key), 'operator', Date.now() + 60_000)
  const response = await fetch(`${direct}${doctorRoutes.operatorReport.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  }).catch(
    // Nothing listens, or it does not speak HTTP: `server` tells it.
    () => null,
  )
  if (response === null) return 'away'
  if (key instanceof Error) throw key
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return DoctorReport.safeParse(answer).data ?? 'foreign'
  if (response.status === 429) {
    const seconds = response.headers.get('retry-after')
    throw new Error(`The server was asked too often.${seconds === null ? '' : ` Ask again in ${seconds} s.`}`)
  }
  const { detail } = Problem.safeParse(answer).data ?? {}
  if (response.status < 500 || detail === undefined) return 'foreign'
  return { failed: `The server at ${direct} answers with status ${response.status}: ${detail}` }
}

/** What our servers answer with when they refuse. */
const Problem = z.object({ detail: z.string() })

/** Asks the server of this machine how it is, for containers and services. */
import { systemDiagnosticsRoutes } from '@atrium/contract/system-diagnostics'

const waitMs = 5000
const kinds = ['ready', 'live'] as const

/** Gives the exit code: 0 where the server says that it is well, else 1. `write` takes one sentence. */
export const askHealth = async (
  args: readonly string[],
  address: () => string,
  write: (text: string) => void,
): Promise<0 | 1> => {
  const [asked = 'ready', ...rest] = args
  const kind = kinds.find((each) => each === asked)
  if (!kind || rest.length > 0) {
    write(`Ask for one of ${kinds.join(', ')}.`)
    return 1
  }
  const url = `${address()}${systemDiagnosticsRoutes[kind].path}`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(waitMs) })
    write(`${url} answers ${response.status}: ${await response.text()}`)
    return response.ok ? 0 : 1
  } catch (error) {
    const { cause = error } = error as Error
    write(`${url} does not answer: ${(cause as Error).message}`)
    return 1
  }
}

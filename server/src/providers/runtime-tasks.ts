/** Long work of the local runtime, followed line by line: downloads, uploads, and models that are made. Throws ProviderFailure. */
import type { Checked, Outbound } from '../platform/outbound/types.ts'
import { translate } from './exchange.ts'
import { refusedByStatus } from './faults.ts'
import { createFraming } from './framing.ts'
import { ProviderFailure } from './types.ts'
import { asCount, asText, parseFrame } from './wires/json.ts'

/** How far it is. `total` is null as long as nobody knows it. */
export interface RuntimeProgress {
  readonly status: string
  /** Of the piece that the figures are about. */
  readonly digest: string | null
  readonly completed: number
  readonly total: number | null
}

/** What a model is made of; names as the runtime has them. */
export interface NewModel {
  readonly name: string
  readonly from: string
  readonly system?: string | undefined
  readonly template?: string | undefined
  readonly license?: string | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly quantize?: string | undefined
}

const idleMs = 5 * 60_000

/** Ends when the runtime says that it succeeded. Aborting drops the connection, which ends the work there. */
export async function* followTask(
  outbound: Pick<Outbound, 'request'>,
  address: () => Promise<Checked<URL>>,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): AsyncGenerator<RuntimeProgress> {
  try {
    const response = await outbound.request(await address(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify({ ...body, stream: true }),
      signal,
      headersMs: idleMs,
      idleMs,
      maxBytes: 256 * 1024 * 1024,
    })
    if (response.status !== 200) {
      throw refusedByStatus(response.status, (await response.text()).slice(0, 65_536), { hasKey: false })
    }
    const framing = createFraming('ndjson')
    let done = false
    for await (const chunk of response.body) {
      for (const line of framing.push(chunk)) {
        const progress = readProgress(line)
        done ||= progress.status === 'success'
        yield progress
      }
    }
    if (!done) throw new ProviderFailure('malformed', 'The local runtime stopped before it was done.')
  } catch (error) {
    throw translate(error, signal)
  }
}

function readProgress(line: string): RuntimeProgress {
  const frame = parseFrame(line) ?? {}
  if (frame['error'] !== undefined) {
    const said = asText(frame['error'])
    if (/not authorized|unauthorized|access denied/i.test(said)) {
      throw new ProviderFailure(
        'rejected',
        'The library rejected the model. Its name must start with your account there (account/model), and the runtime must be signed in.',
      )
    }
    throw /file does not exist|not found/i.test(said)
      ? new ProviderFailure('rejected', 'Model not found, here or in the runtime’s library.', 404)
      : new ProviderFailure('rejected', 'The local runtime couldn’t do this with the model.')
  }
  return {
    status: asText(frame['status']).slice(0, 200),
    digest: asText(frame['digest']) || null,
    completed: asCount(frame['completed']) ?? 0,
    total: asCount(frame['total']),
  }
}

/** Which kind of server answers at an address: a local runtime, or an endpoint of chat completions. */
import type { ProbeResult } from '@atrium/contract/connections'
import { isIP } from 'node:net'
import { hostAndPort } from '../../../platform/outbound/destination.ts'
import { countLocal } from './local-discovery.ts'
import { isRefused, type QuickDeps, readUrl } from './quick.ts'

/**
 * Asks a base address in the local runtime's protocol; an address that names a path is used as it is. What answers
 * otherwise, or not at all, is taken for an endpoint: connecting it shows what is wrong. Nothing is stored.
 * Refuses with `validation_failed` what is no address and with `url_not_allowed` what may not be called.
 */
export async function probeAddress(
  deps: Pick<QuickDeps, 'outbound' | 'openGate'>,
  input: { readonly url: string; readonly allowPrivate?: boolean | undefined },
): Promise<ProbeResult> {
  const written = withScheme(input.url)
  const url = readUrl(written)
  const { origin, pathname } = new URL(written)
  const endpoint: ProbeResult = { kind: 'openai-compatible', url }
  if (!/^\/(api\/?)?$/.test(pathname)) return endpoint
  const widen = input.allowPrivate === true && (await isRefused(deps.outbound, url))
  const gate = widen ? deps.openGate([hostAndPort(url)]) : deps.outbound
  try {
    await gate.check(url)
    return (await countLocal(gate, origin)) === null ? endpoint : { kind: 'ollama', url: origin }
  } finally {
    if (widen) await gate.close()
  }
}

/** People write `localhost:11434` or `api.example.com`: names of the internet mean https, the rest of a network http. */
export function withScheme(written: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) return written
  const host = /^(\[[^\]]*\]|[^:/?#]*)/.exec(written)?.[0] ?? ''
  const isLocal = !host.includes('.') || isIP(host) !== 0 || /\.(local|lan|home|internal|localhost)$/i.test(host)
  return `${isLocal ? 'http' : 'https'}://${written}`
}

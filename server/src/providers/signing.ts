/**
 * Signature Version 4 of AWS (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html): proves a key without
 * sending it. Pure: the time comes in.
 */
import aws4 from 'aws4'
import type { UnsignedRequest } from './types.ts'
import type { WireId } from './wires/index.ts'

export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface SigningScope {
  readonly region: string
  readonly service: string
}

/** Reads `ACCESSKEY:SECRET[:SESSIONTOKEN]`; null for anything else, which is a bearer key. */
export function readAwsKey(key: string): AwsKey | null {
  const match = /^([A-Z0-9]{8,128}):([A-Za-z0-9/+=]{16,256})(?::(\S+))?$/.exec(key)
  if (!match) return null
  const [, accessKeyId = '', secretAccessKey = '', sessionToken] = match
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
}

/** `us-east-1` where the address names no region, as an address of one's own does. */
export const regionOf = (url: URL): string =>
  /(?:^|\.)((?:[a-z]{2,4}-)+(?:[a-z]+-)?[a-z]+-\d)(?=\.)/.exec(url.hostname)?.[1] ?? 'us-east-1'

/** The headers that prove the key. `now`: milliseconds since 1970. */
export function signAws(
  { method, url, headers, body }: UnsignedRequest,
  key: AwsKey,
  scope: SigningScope,
  now: number,
) {
  const time = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const proof: Record<string, string> = {
    'x-amz-date': time,
    ...(key.sessionToken ? { 'x-amz-security-token': key.sessionToken } : {}),
  }
  const signer = new aws4.RequestSigner(
    {
      method,
      path: url.pathname + url.search,
      headers: { ...headers, ...proof, host: url.host },
      body,
      ...scope,
      doNotModifyHeaders: true,
    },
    key,
  )
  signer.datetime = time
  return { ...proof, authorization: signer.authHeader() }
}

export type Signer = (request: UnsignedRequest) => Readonly<Record<string, string>>

/**
 * How calls over a wire are signed with a stored key. undefined: the key goes into its header as it is. Where there is
 * a signer, the key itself goes into no header.
 */
export function signerFor(wire: WireId, key: string | null, now: () => number): Signer | undefined {
  const own = wire === 'bedrock' && key !== null ? readAwsKey(key) : null
  if (!own) return undefined
  return (request) => signAws(request, own, { region: regionOf(request.url), service: 'bedrock' }, now())
}

/** Checks a call that was signed with AWS's Signature Version 4, from its documentation and with nothing but hashes. */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

interface Request {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** `pair`: `ACCESSKEY:SECRET`. True when the call carries its proof. */
export function isSigned({ method, target, headers, body }: Request, pair: string): boolean {
  const [accessKey = '', secret = ''] = pair.split(':')
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', region = '', service = '', names = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'] ?? '')
  if (key !== accessKey || service !== 'bedrock' || !time.startsWith(day) || !names.split(';').includes('host'))
    return false
  const [path = '', query = ''] = target.split('?')
  const canonical = [
    method,
    // Every service but one encodes the path once more than it was sent.
    path.split('/').map(encode).join('/'),
    query,
    ...names.split(';').map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/\s+/g, ' ')}`,
    ),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const words = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signing = [day, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
  return hmac(signing, words).toString('hex') === signature
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
const encode = (piece: string): string =>
  encodeURIComponent(piece).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

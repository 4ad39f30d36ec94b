/** S3-compatible storage for tests: it checks signatures (version 4), digests and times strictly, and can be told to fail. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Faults {
  /** Answers so many requests with 503 SlowDown before it works. */
  slowDowns: number
  full: boolean
  readOnly: boolean
  redirect: boolean
  /** Removes nothing: objects are under a lock. */
  locked: boolean
  /** Says that it wrote, and did not. */
  dropsWrites: boolean
  /** A listing with names that were not asked for, one that never ends, or no listing at all. */
  listing: 'sound' | 'foreign' | 'endless' | 'cut'
  /** Cuts so many connections in the middle of a request. */
  cuts: number
}

export interface S3Server {
  readonly url: string
  readonly options: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string }
  readonly objects: Map<string, { bytes: Buffer; at: Date }>
  readonly faults: S3Faults
  /** Method and path of each request that was let in. */
  readonly requests: string[]
  close(): Promise<void>
}

const region = 'eu-central-1'
const bucket = 'backups'
const accessKeyId = 'AKIATESTTESTTEST'
const secretAccessKey = 'test/secret+key0123456789'
const pageSize = 3

export const startS3Server = async (): Promise<S3Server> => {
  const objects: S3Server['objects'] = new Map()
  const requests: string[] = []
  const faults: S3Faults = {
    slowDowns: 0,
    full: false,
    readOnly: false,
    redirect: false,
    locked: false,
    dropsWrites: false,
    listing: 'sound',
    cuts: 0,
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(
          `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code} &amp; more</Message></Error>`,
        )
    if (faults.cuts > 0) {
      faults.cuts -= 1
      return void request.socket.destroy()
    }
    if (faults.slowDowns > 0) {
      faults.slowDowns -= 1
      return void refuse(503, 'SlowDown')
    }
    if (faults.redirect) {
      response.writeHead(301, { location: 'http://elsewhere.example/', 'x-amz-bucket-region': 'us-west-2' }).end()
      return
    }
    const wrong = faultOfSignature(request, body)
    if (wrong) return void refuse(403, wrong)
    const url = new URL(request.url ?? '/', 'http://storage')
    const virtual = request.headers.host?.startsWith(`${bucket}.`) === true
    const [, first = '', ...rest] = url.pathname.split('/')
    if (!virtual && first !== bucket) return void refuse(404, 'NoSuchBucket')
    const key = decodeURIComponent((virtual ? [first, ...rest] : rest).join('/'))
    requests.push(`${request.method} ${request.url}`)
    if (request.method === 'GET' && key === '') return sendPage(response, url.searchParams)
    const object = objects.get(key)
    if (request.method === 'GET') {
      if (!object) return void refuse(404, 'NoSuchKey')
      response.writeHead(200, { 'content-length': object.bytes.length }).end(object.bytes)
    } else if (request.method === 'PUT') {
      if (faults.readOnly) return void refuse(403, 'AccessDenied')
      if (faults.full) return void refuse(507, 'XMinioStorageFull')
      if (request.headers['content-md5'] !== createHash('md5').update(body).digest('base64'))
        return void refuse(400, 'BadDigest')
      if (!faults.dropsWrites) objects.set(key, { bytes: body, at: new Date() })
      response.writeHead(200).end()
    } else if (request.method === 'DELETE') {
      if (faults.locked || faults.readOnly) return void refuse(403, 'AccessDenied')
      objects.delete(key)
      response.writeHead(204).end()
    } else refuse(405, 'MethodNotAllowed')
  }

  const sendPage = (response: ServerResponse, query: URLSearchParams): void => {
    const prefix = query.get('prefix') ?? ''
    const names = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted((a, b) => (a < b ? -1 : 1))
    const from = names.findIndex((name) => name > (query.get('continuation-token') ?? ''))
    const shown = from === -1 ? [] : names.slice(from, from + pageSize)
    const more = from !== -1 && from + pageSize < names.length
    const contents = shown.map((name) => {
      const { bytes, at } = objects.get(name) ?? { bytes: Buffer.alloc(0), at: new Date() }
      return `<Contents><Key>${name}</Key><LastModified>${at.toISOString()}</LastModified><ETag>&quot;${createHash('md5').update(bytes).digest('hex')}&quot;</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    })
    if (faults.listing === 'foreign')
      contents.push(
        '<Contents><Key>other/instance</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>',
      )
    const isTruncated = faults.listing === 'endless' || more
    const next = faults.listing === 'endless' ? 'again' : (shown.at(-1) ?? '')
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${prefix}</Prefix><MaxKeys>${pageSize}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(faults.listing === 'cut' ? text.slice(0, text.length / 2) : text)
  }

  server.listen(0)
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    options: { endpoint: url, region, bucket, accessKeyId, secretAccessKey },
    objects,
    faults,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** The code of S3 for what is wrong with a request; null for one that is well signed. */
const faultOfSignature = (request: IncomingMessage, body: Buffer): string | null => {
  const form = authorizationForm.exec(request.headers.authorization ?? '')
  if (!form) return 'AccessDenied'
  const [, id, day = '', signedRegion = '', signedHeaders = '', signature] = form
  const time = String(request.headers['x-amz-date'])
  if (id !== accessKeyId) return 'InvalidAccessKeyId'
  if (signedRegion !== region) return 'AuthorizationHeaderMalformed'
  if (!time.startsWith(day) || Math.abs(timeOf(time) - Date.now()) > 15 * 60_000) return 'RequestTimeTooSkewed'
  const digest = createHash('sha256').update(body).digest('hex')
  if (request.headers['x-amz-content-sha256'] !== digest) return 'XAmzContentSHA256Mismatch'
  const names = signedHeaders.split(';')
  const mustBeSigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') || name === 'host')
  if (mustBeSigned.some((name) => !names.includes(name))) return 'AccessDenied'
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    query.split('&').toSorted().join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    digest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  return createHmac('sha256', key).update(text).digest('hex') === signature ? null : 'SignatureDoesNotMatch'
}

const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

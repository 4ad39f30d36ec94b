/**
 * S3-compatible storage as a destination (docs.aws.amazon.com/AmazonS3/latest/API). Objects are of 16 MiB or so, which
 * one request takes: nothing is sent in parts, so nothing of an upload that was cut is left in the bucket.
 */
import { createHash } from 'node:crypto'
import aws4 from 'aws4'
import { childOf, childrenOf, type Element, parseXml, textOf } from '../../formats/xml.ts'
import {
  type Destination,
  DestinationFailure,
  type DestinationFailureKind,
  isObjectName,
  requireObjectName,
  type StoredObject,
} from './destination.ts'
import { createHttpCaller, failureOfStatus, type HttpAnswer, type HttpDestinationDeps } from './http.ts'

export interface S3Options {
  /** Scheme, host and port: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** What all names begin with; empty, or a name of its own. */
  readonly prefix: string
  /** The bucket stands in the path, not in front of the host. */
  readonly pathStyle: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A listing of so many pages has ten million objects, or does not end. */
const maxPages = 10_000

export const openS3 = (options: S3Options, deps: HttpDestinationDeps): Destination => {
  const call = createHttpCaller(deps)
  const endpoint = new URL(options.endpoint)
  const host = options.pathStyle ? endpoint.host : `${options.bucket}.${endpoint.host}`
  const root = options.pathStyle ? `/${options.bucket}` : ''
  const prefix = options.prefix === '' ? '' : `${options.prefix}/`

  const send = async (
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    { body, signal }: { body?: Uint8Array; signal?: AbortSignal | undefined } = {},
  ): Promise<HttpAnswer> =>
    await call({
      method,
      url: `${endpoint.protocol}//${host}${path}`,
      headers: () => signRequest(options, { method, host, path, body, now: deps.now() }),
      body,
      signal,
    })

  const pathOf = (name: string) => `${root}/${prefix}${name}`

  return {
    async write(name, bytes, signal) {
      requireObjectName(name)
      const answer = await send('PUT', pathOf(name), { body: bytes, signal })
      if (answer.status !== 200) throw s3Failure(answer)
    },

    async read(name, signal) {
      requireObjectName(name)
      const answer = await send('GET', pathOf(name), { signal })
      if (answer.status === 200) return answer.body
      if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket') return undefined
      throw s3Failure(answer)
    },

    async *list(begin, signal) {
      const seen = new Set<string>()
      let token: string | null = null
      do {
        const more = token === null ? '' : `continuation-token=${encodeRfc3986(token)}&`
        const query = `${more}list-type=2&max-keys=1000&prefix=${encodeRfc3986(prefix + begin)}`
        const answer = await send('GET', `${root}/?${query}`, { signal })
        if (answer.status !== 200) throw s3Failure(answer)
        const page = parsePage(answer)
        for (const object of page.objects) {
          const name = object.name.slice(prefix.length)
          if (!object.name.startsWith(prefix + begin)) throw wrongListing()
          if (isObjectName(name)) yield { ...object, name }
        }
        token = page.next
        if (token !== null && (seen.has(token) || seen.size >= maxPages)) throw wrongListing()
        if (token !== null) seen.add(token)
      } while (token !== null)
    },

    async remove(name, signal) {
      requireObjectName(name)
      const answer = await send('DELETE', pathOf(name), { signal })
      if (answer.status === 200 || answer.status === 204) return
      const code = codeOf(answer)
      if (answer.status === 404 && code !== 'NoSuchBucket') return
      // What a lock holds is refused in words of each storage's own; a wrong key is told as such.
      if (code === 'AccessDenied' || (answer.status === 403 && !(code in wordsOf)))
        throw new DestinationFailure(
          'locked',
          'The storage won’t delete this object: it is locked, or the key can’t delete.',
        )
      throw s3Failure(answer)
    },
  }
}

interface Unsigned {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly body: Uint8Array | undefined
  readonly now: number
}

/** Signature Version 4; the digests of the body are signed too, and buckets with object lock ask for the second. */
const signRequest = (
  { region, accessKeyId, secretAccessKey }: S3Options,
  { method, host, path, body, now }: Unsigned,
): Record<string, string> => {
  const content = body ?? new Uint8Array()
  const time = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const headers: Record<string, string> = {
    'x-amz-content-sha256': createHash('sha256').update(content).digest('hex'),
    'x-amz-date': time,
  }
  if (body) {
    headers['content-md5'] = createHash('md5').update(body).digest('base64')
    headers['content-type'] = 'application/octet-stream'
  }
  const signer = new aws4.RequestSigner(
    { method, host, path, service: 's3', region, headers: { ...headers, host }, doNotModifyHeaders: true },
    { accessKeyId, secretAccessKey },
  )
  signer.datetime = time
  return { ...headers, authorization: signer.authHeader() }
}

const encodeRfc3986 = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const parsePage = (answer: HttpAnswer): { objects: StoredObject[]; next: string | null } => {
  const result = childOf(parseAnswer(answer), 'ListBucketResult')
  if (!result) throw wrongListing()
  const objects = childrenOf(result, 'Contents').map((entry) => {
    const [bytes, modifiedAt] = [Number(partOf(entry, 'Size')), new Date(partOf(entry, 'LastModified'))]
    if (!Number.isSafeInteger(bytes) || Number.isNaN(modifiedAt.getTime())) throw wrongListing()
    return { name: partOf(entry, 'Key'), bytes, modifiedAt }
  })
  if (partOf(result, 'IsTruncated') !== 'true') return { objects, next: null }
  const next = partOf(result, 'NextContinuationToken')
  if (next === '') throw wrongListing()
  return { objects, next }
}

const partOf = (element: Element | undefined, name: string): string => textOf(childOf(element, name)).trim()

const parseAnswer = ({ body }: HttpAnswer): Element | undefined => {
  try {
    return parseXml(body)
  } catch {
    // What is no XML says nothing; the status does.
    return undefined
  }
}

const codeOf = (answer: HttpAnswer): string => partOf(childOf(parseAnswer(answer), 'Error'), 'Code')

const wrongListing = () =>
  new DestinationFailure('invalid', 'The storage gave a listing that is not in order. Is this S3-compatible storage?')

const s3Failure = (answer: HttpAnswer): DestinationFailure => {
  const region = answer.headers['x-amz-bucket-region'] ?? ''
  if (answer.status >= 300 && answer.status < 400 && /^[a-z0-9-]{2,40}$/.test(region))
    return new DestinationFailure('invalid', `The bucket is in the region ${region}. Name it, and its endpoint.`)
  const words = wordsOf[codeOf(answer)]
  return words ? new DestinationFailure(...words) : failureOfStatus(answer.status)
}

const wordsOf: Readonly<Record<string, [DestinationFailureKind, string]>> = {
  NoSuchBucket: ['missing', 'Bucket not found. Create it first, or correct the name.'],
  AccessDenied: ['denied', 'The key is valid but doesn’t allow this in the bucket.'],
  AllAccessDisabled: ['denied', 'All access to this bucket is disabled.'],
  InvalidAccessKeyId: ['denied', 'The storage doesn’t know this access key.'],
  SignatureDoesNotMatch: ['denied', 'The secret key doesn’t belong to this access key.'],
  RequestTimeTooSkewed: ['denied', 'The clocks of this machine and the storage are more than 15 minutes apart.'],
  AuthorizationHeaderMalformed: ['invalid', 'The bucket is in another region.'],
  QuotaExceeded: ['full', 'This account’s storage is full.'],
  XMinioStorageFull: ['full', 'The storage is full.'],
  EntityTooLarge: ['full', 'The storage doesn’t accept objects of this size.'],
}

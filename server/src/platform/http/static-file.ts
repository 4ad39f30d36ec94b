/** A file of the build, sent with its ETag and in a packed form (`….br`, `….gz` beside it) where the client takes one. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesCoding } from './packed-answer.ts'

/** Only files of these types are served. */
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.txt': 'text/plain; charset=utf-8',
}
const packings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface PackedForm {
  readonly coding: 'br' | 'gzip'
  readonly path: string
  readonly size: number
}

/** A class, so that it can be told from an answer that is JSON. */
export class StaticFile {
  readonly path: string
  readonly size: number
  readonly type: string
  readonly etag: string
  /** Its address changes with its content, so that clients keep it. */
  readonly immutable: boolean
  readonly packed: readonly PackedForm[]

  private constructor(path: string, type: string, hashed: string | undefined) {
    this.path = path
    this.type = type
    this.size = statSync(path).size
    this.immutable = hashed !== undefined
    this.etag = `"${hashed ?? createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`
    this.packed = packings.flatMap(([coding, ending]) =>
      existsSync(path + ending) ? [{ coding, path: path + ending, size: statSync(path + ending).size }] : [],
    )
  }

  /** Looks at the file once; null for a type that is not served. `hashed`: what of its address names its content. */
  static open(path: string, hashed?: string): StaticFile | null {
    const type = types[extname(path)]
    return type ? new StaticFile(path, type, hashed) : null
  }
}

export const sendStaticFile = (request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply => {
  const packed = file.packed.find(({ coding }) => takesCoding(request.headers['accept-encoding'], coding))
  void reply.headers({
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: packed ? `${file.etag.slice(0, -1)}-${packed.coding}"` : file.etag,
    ...(file.packed.length > 0 ? { vary: 'accept-encoding' } : {}),
    ...(packed ? { 'content-encoding': packed.coding } : {}),
  })
  if (request.headers['if-none-match'] === reply.getHeader('etag')) return reply.code(304).send()
  void reply.header('content-length', packed?.size ?? file.size)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(createReadStream(packed?.path ?? file.path))
}

/** The built web app, served from a list made at start, so that no path can lead out of its folder. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface WebFiles {
  /** Answers with the file, or with the app's page where a page may stand; false when there is nothing to give. */
  answer(request: FastifyRequest, reply: FastifyReply, path: string): boolean
}

/** Lists `folder`; files named `….br` and `….gz` are used as the packed form of their neighbour. */
export const openWebFiles = (folder: string): WebFiles => {
  const files = listFiles(folder)
  return {
    answer(request, reply, path) {
      const file = files.get(path) ?? (isPage(path) ? files.get('/index.html') : undefined)
      if (!file) return false
      send(request, reply, file)
      return true
    },
  }
}

interface WebFile {
  readonly path: string
  readonly size: number
  readonly type: string
  readonly etag: string
  readonly forever: boolean
  readonly packed: readonly { readonly coding: 'br' | 'gzip'; readonly path: string; readonly size: number }[]
}

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

const listFiles = (folder: string): Map<string, WebFile> => {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const sizes = new Map(found.map((path) => [path, statSync(path).size]))
  const files = new Map<string, WebFile>()
  for (const path of found) {
    const extension = extname(path)
    const type = types[extension]
    if (!type) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    // Vite puts a hash of the content, or the version of a package, into every name below assets/.
    const forever = url.startsWith('/assets/')
    files.set(url, {
      path,
      size: sizes.get(path) ?? 0,
      type,
      etag: `"${forever ? url.slice(8) : createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`,
      forever,
      packed: packings.flatMap(([coding, ending]) => {
        const size = sizes.get(path + ending)
        return size === undefined ? [] : [{ coding, path: path + ending, size }]
      }),
    })
  }
  return files
}

/** A page of the app is any path whose last part has no ending, outside the folder of hashed files. */
const isPage = (path: string): boolean => !path.startsWith('/assets/') && !/\.\w{1,12}$/.test(path)

const send = (request: FastifyRequest, reply: FastifyReply, file: WebFile): void => {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const packed = file.packed.find(({ coding }) =>
    new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  )
  void reply.headers({
    'content-type': file.type,
    'cache-control': file.forever ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: packed ? `${file.etag.slice(0, -1)}-${packed.coding}"` : file.etag,
    ...(file.packed.length > 0 ? { vary: 'accept-encoding' } : {}),
    ...(packed ? { 'content-encoding': packed.coding } : {}),
  })
  if (request.headers['if-none-match'] === reply.getHeader('etag')) return void reply.code(304).send()
  void reply.header('content-length', packed?.size ?? file.size)
  if (request.method === 'HEAD') return void reply.send()
  void reply.send(createReadStream(packed?.path ?? file.path))
}

/** The built web app, served from a list made at start, so that no path can lead out of its folder. */
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { StaticFile, sendStaticFile } from './static-file.ts'

export interface WebFiles {
  /** Answers with the file, or with the app's page where a page may stand; false when there is nothing to give. */
  answer(request: FastifyRequest, reply: FastifyReply, path: string): boolean
}

/** Lists `folder`. */
export const openWebFiles = (folder: string): WebFiles => {
  const files = listFiles(folder)
  return {
    answer(request, reply, path) {
      const file = files.get(path) ?? (isPage(path) ? files.get('/index.html') : undefined)
      if (!file) return false
      void sendStaticFile(request, reply, file)
      return true
    },
  }
}

const listFiles = (folder: string): Map<string, StaticFile> => {
  const files = new Map<string, StaticFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const url = `/${relative(folder, path).split(sep).join('/')}`
    // Vite puts a hash of the content, or the version of a package, into every name below assets/.
    const file = StaticFile.open(path, url.startsWith('/assets/') ? url.slice(8) : undefined)
    if (file) files.set(url, file)
  }
  return files
}

/** A page of the app is any path whose last part has no ending, outside the folder of hashed files. */
const isPage = (path: string): boolean => !path.startsWith('/assets/') && !/\.\w{1,12}$/.test(path)

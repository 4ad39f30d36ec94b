/**
 * Gives what PDF files may need beside the program that draws them, each file only when one asks for it: character
 * maps of East Asian fonts, the fourteen fonts that every reader has, and decoders of pictures.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const source = dirname(require.resolve('pdfjs-dist/package.json'))
const { version } = require('pdfjs-dist/package.json') as { version: string }
const folders: Record<string, RegExp> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  // Without WebAssembly, which the content security policy does not allow.
  wasm: /_nowasm_fallback\.js$/,
}

export function pdfFiles(): Plugin {
  const base = `assets/pdf/${version}`
  return {
    name: 'atrium-pdf-files',
    generateBundle() {
      for (const [folder, wanted] of Object.entries(folders)) {
        for (const name of readdirSync(join(source, folder))) {
          if (!wanted.test(name)) continue
          this.emitFile({
            type: 'asset',
            fileName: `${base}/${folder}/${name}`,
            source: readFileSync(join(source, folder, name)),
          })
        }
      }
    },
    configureServer(server) {
      server.middlewares.use(`/${base}/`, (request, response, next) => {
        const [, folder = '', name = ''] = /^\/(\w+)\/([\w.-]+)$/.exec(request.url ?? '') ?? []
        if (!folders[folder]?.test(name)) return next()
        if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
        response.end(readFileSync(join(source, folder, name)))
      })
    },
  }
}

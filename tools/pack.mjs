/** Puts a Brotli and a gzip form beside every file of the built web app that shrinks by it. */
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const packable = /\.(m?js|css|html|svg|json|webmanifest|txt)$/
const smallest = 1024
/** Our own parts and what lies under every page, as small as it gets; the rest (diagrams, grammars) would take long. */
const best = /assets[/\\](app[/\\]|part[/\\]vendor-)|\.css$/

/** @param {string} folder */
export async function pack(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && packable.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    paths.map(async (path) => {
      const plain = await readFile(path)
      if (plain.length < smallest) return
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: best.test(path) ? 11 : 9 } }
      const [brotli, zipped] = await Promise.all([
        promisify(brotliCompress)(plain, quality),
        promisify(gzip)(plain, { level: 9 }),
      ])
      if (brotli.length < plain.length) await writeFile(`${path}.br`, brotli)
      if (zipped.length < plain.length) await writeFile(`${path}.gz`, zipped)
    }),
  )
}

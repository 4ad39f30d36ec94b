/**
 * The real Chromium of the browser tests: it lies compressed in an npm package and is unpacked once. `CHROMIUM_PATH`
 * names another one, for machines that the package does not serve.
 */
import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')

export interface Browser {
  readonly executablePath: string
  readonly args: readonly string[]
  /** Where it finds the libraries and fonts of its package. */
  readonly env: Record<string, string>
}

const args = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
]

/** Gives a Chromium that can be launched, unpacking it first if need be. */
export async function chromium(): Promise<Browser> {
  const own = process.env['CHROMIUM_PATH']
  if (own !== undefined && own !== '') return { executablePath: own, args, env: inherited() }
  const folder = await unpacked()
  const libraries = join(folder, 'lib')
  return {
    executablePath: join(folder, 'chromium'),
    args,
    env: {
      ...inherited(),
      LD_LIBRARY_PATH: [libraries, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

async function unpacked(): Promise<string> {
  const home = join(modules, '@sparticuz', 'chromium')
  const { version } = createRequire(import.meta.url)(join(home, 'package.json')) as { version: string }
  const folder = join(modules, '.cache', `chromium-${version}`)
  if (await exists(join(folder, 'chromium'))) return folder
  const making = `${folder}.${process.pid}`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true })
  const from = (name: string) => join(home, 'bin', name)
  await Promise.all([
    pipeline(
      createReadStream(from('chromium.br')),
      createBrotliDecompress(),
      createWriteStream(join(making, 'chromium')),
    ),
    untar(from('al2023.tar.br'), making),
    untar(from('fonts.tar.br'), making),
    untar(from('swiftshader.tar.br'), making),
  ])
  await chmod(join(making, 'chromium'), 0o755)
  // The package's own fonts.conf names another machine's folders.
  await writeFile(join(making, 'fonts.conf'), fontsConf(join(folder, 'fonts'), join(folder, 'font-cache')))
  // Two test runs may unpack at once; the first to finish wins.
  await rename(making, folder).catch(async (problem: unknown) => {
    await rm(making, { recursive: true, force: true })
    if (!(await exists(join(folder, 'chromium')))) throw problem
  })
  return folder
}

/** By way of a file: tar stops reading at the end of the archive, and a pipe breaks when there is padding behind it. */
async function untar(archive: string, folder: string): Promise<void> {
  const plain = join(folder, basename(archive, '.br'))
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(plain))
  const tar = spawn('tar', ['-x', '-f', plain, '-C', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    tar.on('error', reject)
    tar.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`))))
  })
  await rm(plain)
}

const fontsConf = (fonts: string, cache: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${cache}</cachedir></fontconfig>
`

const inherited = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

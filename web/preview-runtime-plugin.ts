/**
 * Gives the libraries that previews may use, each as one script that a page can hold as text: `virtual:preview-runtime`
 * says where each of them is. They run in the frame of previews alone (`src/blocks/preview`), never in the app.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'vite'

const require = createRequire(import.meta.url)
const beside = (module: string, file: string): string => join(dirname(require.resolve(module)), file)

/** Scripts that their packages bring as they are needed; each sets a global. */
const ready: Readonly<Record<string, () => string>> = {
  tailwind: () => beside('@tailwindcss/browser', 'index.global.js'),
  d3: () => beside('d3', 'd3.min.js'),
  chart: () => beside('chart.js', 'chart.umd.min.js'),
  mermaid: () => beside('mermaid', 'mermaid.min.js'),
  katex: () => beside('katex', 'katex.min.js'),
  papaparse: () => beside('papaparse', 'papaparse.min.js'),
}

/** Scripts that are put together here, from the modules of their packages. */
const bundled: Readonly<Record<string, string>> = {
  react: `
    import React from 'react'
    import ReactDOM from 'react-dom'
    import * as client from 'react-dom/client'
    import * as jsx from 'react/jsx-runtime'
    globalThis.React = React
    globalThis.ReactDOM = Object.assign({}, ReactDOM, client)
    globalThis.ReactJsx = jsx`,
  three: `
    import * as core from 'three'
    import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
    globalThis.THREE = Object.assign({}, core, { OrbitControls })`,
  // Needs \`react\` before it. \`createIcons\` is that of the library for pages without React.
  lucide: `
    import * as all from 'lucide-react'
    globalThis.LucideReact = all
    globalThis.lucide = {
      icons: all.icons,
      createIcons() {
        for (const place of document.querySelectorAll('[data-lucide]')) {
          const name = place.dataset.lucide.replace(/(^|-)(\\w)/g, (_, dash, letter) => letter.toUpperCase())
          if (!all.icons[name]) continue
          const drawn = document.createElement('span')
          drawn.style.display = 'contents'
          const given = Object.fromEntries([...place.attributes].filter(({ name }) => name !== 'class' && !name.startsWith('data-')).map(({ name, value }) => [name, value]))
          ReactDOM.flushSync(() => ReactDOM.createRoot(drawn).render(React.createElement(all.icons[name], { ...given, className: place.className })))
          place.replaceWith(...drawn.childNodes)
        }
      },
    }`,
}

/** KaTeX’s styles with its fonts in them, as a script that adds them. */
function katexStyles(): string {
  const folder = beside('katex', '')
  const fonts = new Set(readdirSync(join(folder, 'fonts')))
  const css = readFileSync(join(folder, 'katex.min.css'), 'utf8').replace(
    /src:url\(fonts\/([\w-]+\.woff2)\)[^;}]*/g,
    (whole, name: string) =>
      fonts.has(name)
        ? `src:url(data:font/woff2;base64,${readFileSync(join(folder, 'fonts', name)).toString('base64')}) format("woff2")`
        : whole,
  )
  return `{const style=document.createElement('style');style.textContent=${JSON.stringify(css)};document.head.append(style)}`
}

async function bundle(name: string, code: string): Promise<string> {
  // Never a file: what is imported by it is looked for from the folder of the web app.
  const entry = join(import.meta.dirname, `preview-library-${name}.js`)
  const made = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'atrium-preview-library',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'PreviewLibrary' },
      rolldownOptions: {
        external: name === 'react' ? [] : ['react'],
        output: { globals: { react: 'React' }, codeSplitting: false },
      },
    },
  })
  const [first] = Array.isArray(made) ? made : [made]
  const chunk = first && 'output' in first ? first.output.find((file) => file.type === 'chunk') : undefined
  if (!chunk) throw new Error(`The library ${name} of previews could not be put together.`)
  return chunk.code
}

async function library(name: string): Promise<string> {
  const path = ready[name]?.()
  if (path === undefined) return bundle(name, bundled[name] ?? '')
  return readFileSync(path, 'utf8') + (name === 'katex' ? `\n${katexStyles()}` : '')
}

const virtual = 'virtual:preview-runtime'

export function previewRuntime(): Plugin {
  const files = new Map<string, string>()
  let addresses: Promise<Record<string, string>> | undefined
  const prepare = (): Promise<Record<string, string>> =>
    (addresses ??= (async () => {
      const found: Record<string, string> = {}
      for (const name of [...Object.keys(ready), ...Object.keys(bundled)]) {
        const text = await library(name)
        const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8)
        found[name] = `/assets/preview/${name}-${digest}.js`
        files.set(found[name], text)
      }
      return found
    })())
  return {
    name: 'atrium-preview-runtime',
    resolveId: (id) => (id === virtual ? `\0${virtual}` : null),
    async load(id) {
      if (id !== `\0${virtual}`) return null
      return `export const addresses = ${JSON.stringify(await prepare())}`
    },
    async generateBundle() {
      await prepare()
      for (const [address, source] of files) this.emitFile({ type: 'asset', fileName: address.slice(1), source })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const text = files.get(request.url ?? '')
        if (text === undefined) return next()
        response.setHeader('content-type', 'text/javascript')
        response.end(text)
      })
    },
  }
}

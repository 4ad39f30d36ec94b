/** An artifact as the page that the frame of its preview shows: whole, with everything that it needs in it. */
import type { ArtifactKind } from '@atrium/contract/artifacts'
import { bridge } from './bridge.ts'
import { inOrder, libraryAt, type LibraryName, packageOf } from './libraries.ts'
import { inScript, literalOf, requireOf } from './script-text.ts'

type Compile = typeof import('./compile-engine.ts')

/** Gives a library as text. */
export type ReadLibrary = (name: LibraryName) => Promise<string>

export interface PageParts {
  readonly readLibrary: ReadLibrary
  readonly compile: () => Promise<Compile>
  /** A file for a person: without the script that talks to the app, and closed off by a policy of its own. */
  readonly asFile?: boolean
  /** Where a library lies beside the page; absent: it stands in the page. */
  readonly libraryPath?: (name: LibraryName) => string
}

/** Throws the compiler’s error where it cannot be put together. */
export async function buildPage(kind: ArtifactKind, content: string, parts: PageParts): Promise<string> {
  if (kind === 'react') return reactPage(content, parts)
  if (kind === 'chart') return chartPage(content, parts)
  if (kind === 'svg')
    return await pageWith(
      `<style>body{margin:0;display:grid;place-items:center;min-height:100vh}svg{max-width:100%;height:auto}</style>${content}`,
      new Set(),
      null,
      parts,
    )
  return htmlPage(content, parts)
}

async function reactPage(source: string, parts: PageParts): Promise<string> {
  const { code, imports } = (await parts.compile()).compileScript(source)
  const values = new Map<string, string>()
  const wanted = new Set<LibraryName>(['react'])
  if (/\bclass(?:Name)?\s*=/.test(source)) wanted.add('tailwind')
  for (const name of imports) {
    const found = packageOf(name)
    if (!found) continue
    values.set(name, found.value)
    wanted.add(found.library)
  }
  const start = `const module = { exports: {} }
;(function (require, module, exports) {
${code}
})(${requireOf(values)}, module, module.exports)
const drawn = module.exports.default ?? Object.values(module.exports).find((value) => typeof value === 'function')
if (!drawn) throw new Error('Export a component as default.')
ReactDOM.createRoot(document.getElementById('root')).render(React.createElement(drawn))`
  return await pageWith('<div id="root"></div>', wanted, `{${start}}`, parts)
}

async function chartPage(source: string, parts: PageParts): Promise<string> {
  const start = `new Chart(document.getElementById('chart'), JSON.parse(${literalOf(source)}))`
  const body = '<div style="height:calc(100vh - 16px)"><canvas id="chart"></canvas></div>'
  return await pageWith(body, new Set(['chart']), start, parts)
}

/** `start` runs after `body` stands there, and after the libraries that it wants. */
async function pageWith(
  body: string,
  wanted: ReadonlySet<LibraryName>,
  start: string | null,
  parts: PageParts,
): Promise<string> {
  const page = new DOMParser().parseFromString(`<!doctype html><body>${body}</body>`, 'text/html')
  const libraries = await Promise.all(inOrder(wanted).map((name) => libraryIn(page, name, parts)))
  page.body.append(...libraries)
  if (start !== null) page.body.append(scriptIn(page, start))
  return textOf(page, parts)
}

async function libraryIn(
  page: Document,
  name: LibraryName,
  { readLibrary, libraryPath }: PageParts,
): Promise<HTMLScriptElement> {
  if (!libraryPath) return scriptIn(page, await readLibrary(name))
  const script = page.createElement('script')
  script.setAttribute('src', libraryPath(name))
  return script
}

/** A whole page, or a part of one; what it brings from well-known hosts is ours. Nothing of it runs here. */
async function htmlPage(content: string, parts: PageParts): Promise<string> {
  const page = new DOMParser().parseFromString(content, 'text/html')
  const named = importMapOf(page)
  const there = new Set<LibraryName>()
  for (const script of page.querySelectorAll('script')) {
    const address = script.getAttribute('src')
    if (address !== null) await replaceScript(page, script, libraryAt(address), there, parts)
    else if (isModule(script) || /jsx|babel|typescript/.test(script.type))
      await replaceModule(page, script, named, there, parts)
    else script.textContent = inScript(script.textContent ?? '')
  }
  for (const link of page.querySelectorAll('link[href]')) if (libraryAt(link.getAttribute('href') ?? '')) link.remove()
  return textOf(page, parts)
}

const isModule = (script: HTMLScriptElement): boolean => script.type === 'module'

async function replaceScript(
  page: Document,
  script: HTMLScriptElement,
  library: LibraryName | null,
  there: Set<LibraryName>,
  parts: PageParts,
): Promise<void> {
  // Compilers of others are not needed: scripts are compiled here.
  if (/@babel\/standalone|babel-standalone/.test(script.src)) return script.remove()
  if (!library) return
  await bring(page, script, new Set([library]), there, parts)
  script.remove()
}

async function replaceModule(
  page: Document,
  script: HTMLScriptElement,
  named: ReadonlyMap<string, string>,
  there: Set<LibraryName>,
  parts: PageParts,
): Promise<void> {
  const { code, imports } = (await parts.compile()).compileScript(script.textContent ?? '')
  const values = new Map<string, string>()
  const wanted = new Set<LibraryName>()
  for (const name of imports) {
    const found = packageOf(named.get(name) ?? name) ?? packageOf(name)
    if (!found) continue
    values.set(name, found.value)
    wanted.add(found.library)
  }
  await bring(page, script, wanted, there, parts)
  // As modules do, it waits until the page stands, and may await.
  const run = `(async (require, exports) => {
${code}
})(${requireOf(values)}, {})`
  const now = scriptIn(page, `document.addEventListener('DOMContentLoaded', () => { ${run} })`)
  script.replaceWith(now)
}

/** Puts libraries before a script, each once. */
async function bring(
  page: Document,
  script: HTMLScriptElement,
  wanted: ReadonlySet<LibraryName>,
  there: Set<LibraryName>,
  parts: PageParts,
): Promise<void> {
  for (const name of inOrder(wanted)) {
    if (there.has(name)) continue
    there.add(name)
    script.before(await libraryIn(page, name, parts))
  }
}

/** Names of modules, and where the page says they are. */
function importMapOf(page: Document): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const map of page.querySelectorAll('script[type="importmap"]')) {
    try {
      const { imports } = JSON.parse(map.textContent ?? '') as { imports?: Record<string, unknown> }
      for (const [name, address] of Object.entries(imports ?? {}))
        if (typeof address === 'string') named.set(name, address)
    } catch {
      // A map that cannot be read names nothing, as in a browser.
    }
    map.remove()
  }
  return named
}

function scriptIn(page: Document, code: string): HTMLScriptElement {
  const script = page.createElement('script')
  script.textContent = inScript(code)
  return script
}

/** For files: what the headers of the frame say of previews. */
const filePolicy =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; font-src data: blob:; media-src data: blob:; form-action 'none'; base-uri 'none'"

function textOf(page: Document, { asFile, libraryPath }: PageParts): string {
  for (const base of page.querySelectorAll('base')) base.remove()
  const head = page.head
  if (!head.querySelector('meta[name="viewport"]')) {
    const viewport = page.createElement('meta')
    viewport.name = 'viewport'
    viewport.content = 'width=device-width, initial-scale=1'
    head.prepend(viewport)
  }
  if (asFile) {
    const policy = page.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    // What lies beside it is read as well, from a folder or from a server.
    policy.content = libraryPath ? filePolicy.replace('script-src ', "script-src file: 'self' ") : filePolicy
    head.prepend(policy)
  } else head.prepend(scriptIn(page, bridge))
  const letters = page.createElement('meta')
  letters.setAttribute('charset', 'utf-8')
  head.prepend(letters)
  return `<!doctype html>\n${page.documentElement.outerHTML}`
}

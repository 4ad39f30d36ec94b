/**
 * `npm run new-area <word> [--kind <singular>]`: writes an area with routes, a table, one kind of resource, a page and a
 * test, from the area of field notes under `tools/new-area`, and adds it to the three lists of areas. Writes all of it, or
 * nothing and one sentence.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, root, run, runtime, stop } from './runtime.mjs'

const { values, positionals } = parseArgs({ options: { kind: { type: 'string' } }, allowPositionals: true })
const word = positionals[0] ?? ''
const kind = values.kind ?? singularOf(word)
const area = values.kind || word.endsWith('s') ? word : pluralOf(word)

const texts = listFiles('tools/new-area').map((path) => ({
  path: path.slice('tools/new-area/'.length),
  text: read(path),
}))

/** What no name of TypeScript can be. */
const keywords = new Set(
  `any as async await boolean break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null number object package private
  protected public return static string super switch symbol this throw true try type typeof undefined unknown var void
  while with yield arguments Object Array String Number Boolean Symbol Function Date Error Map Set Promise Record Partial
  Pick Omit Readonly Request Response Event Node Element Document Window`.split(/\s+/),
)

/** The three lists of areas: the import that each gets among those of other areas, and its entry at the end. */
const lists = [
  ['contract/src/index.ts', "import { fieldNotesDescription } from './field-notes/area.ts'", 'fieldNotesDescription'],
  ['server/src/app/areas.ts', "import { fieldNotes } from '../features/field-notes/area.ts'", 'fieldNotes'],
  [
    'web/src/app/features.ts',
    "import { fieldNotesFeature } from '../features/field-notes/index.tsx'",
    'fieldNotesFeature',
  ],
].map(([path, imported, entry]) => ({ path, before: read(path), imported: fill(imported), entry: fill(entry) }))
const generated = ['docs/routes.txt', 'README.md'].map((path) => ({ path, before: read(path) }))

const refusal = refusalOfForm() ?? refusalOfWord()
if (refusal) stop(refusal)
ensureInstalled()

const files = texts.map(({ path, text }) => ({ path: fill(path), text: fill(text) }))
const changed = lists.map(({ path, before, imported, entry }) => ({ path, text: withArea(before, imported, entry) }))
let written = false
try {
  written = await write([...files, ...changed])
} finally {
  if (!written) restore()
}
if (!written) stop('Nothing was written. The lines above say why.')
console.log(`The area ${area}, with the kind ${kind}:
  ${[...folders(), ...lists.map(({ path }) => path), 'docs/routes.txt'].join('\n  ')}
It has a title and no more. Give its page an icon and its words, look through the locales, whose words for it are English
in every language, and read "Add an area" in CONTRIBUTING.md. npm run check holds the rest.`)

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

function listFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted()
}

/** Writes the files, and what is generated from them; false where a command failed. */
async function write(all) {
  for (const { path, text } of all) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const format = ['format', '--write', ...all.map(({ path }) => path)]
  if ((await run('biome', format, { stdio: ['ignore', 'ignore', 'inherit'] })) !== 0) return false
  return (await run(runtime(), ['tools/api-docs.ts'])) === 0
}

function restore() {
  for (const folder of folders()) rmSync(join(root, folder), { recursive: true, force: true })
  for (const { path, before } of [...lists, ...generated]) writeFileSync(join(root, path), before)
}

/** Every form of the words: field-notes, fieldNotes, FieldNotes, field_notes, field notes, Field notes; of one the same. */
function fill(text) {
  const an = /^[aeio]/.test(kind) ? 'n' : ''
  return text
    .replace(/\b([Aa]) (?=field note\b)/g, `$1${an} `)
    .replace(/(f|F)ield([-_ ]?)[nN]ote(s?)/g, (_found, first, joint, many) => {
      const words = (many ? area : kind).split('-')
      const [head, ...rest] = joint === '' ? words.map((each) => capital(each)) : words
      return [first === 'f' ? head.charAt(0).toLowerCase() + head.slice(1) : capital(head), ...rest].join(joint)
    })
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** One of many: stories, boxes and bookmarks become story, box and bookmark; what has no such ending stays. */
function singularOf(many) {
  const endings = [
    [/ies$/, 'y'],
    [/(s|x|z|ch|sh)es$/, '$1'],
    [/([^su])s$/, '$1'],
  ]
  const [ending, one] = endings.find(([each]) => each.test(many)) ?? [/$/, '']
  return many.replace(ending, one)
}

function pluralOf(one) {
  if (/[^aeou]y$/.test(one)) return one.replace(/y$/, 'ies')
  return /(s|x|z|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

function folders() {
  return ['contract/src', 'server/src/features', 'web/src/features'].map((folder) => `${folder}/${area}`)
}

function refusalOfForm() {
  const form = /^(?=.{3,30}$)[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/
  if (positionals.length !== 1 || !form.test(area) || !form.test(kind))
    return 'Give one word of 3 to 30 small letters, with hyphens inside, such as: npm run new-area reading-lists'
  return area === kind ? `Say what one of ${area} is called: npm run new-area ${word} -- --kind <singular>` : null
}

/** Why the words cannot be those of a new area: something has them already, or the code of every area does. */
function refusalOfWord() {
  const sources = ['contract/src', 'server/src', 'web/src'].flatMap(listFiles)
  const taken = Object.entries(claims()).map(([what, pattern]) => [what, new RegExp(fill(pattern), 'm')])
  for (const path of sources) {
    if (!/(?<!\.test)\.tsx?$/.test(path)) continue
    const text = `${path}\n${read(path)}`
    const [what] = taken.find(([, pattern]) => pattern.test(text)) ?? []
    if (what) return `There is ${what} of this name already, in ${path}. Choose another word.`
  }
  const names = ['fieldNotes', 'fieldNote', 'FieldNotes', 'FieldNote'].map((name) => fill(name))
  const own = new Set(texts.flatMap(({ text }) => text.match(/\b[A-Za-z]\w*\b/g)))
  const name = names.find((each) => own.has(each) || keywords.has(each))
  return name ? `The code of an area has another use for ${name}. Choose another word.` : null
}

/** What a new area takes for itself, and how that looks where it is taken. */
function claims() {
  return {
    'an area': '^(contract/src|server/src/(core|features)|web/src/features)/field-notes/',
    'a tag': "\\btag: 'field-notes'",
    'an address of the interface': "'/api/field-notes['/]",
    'a page': "createRoute\\(\\{[^}]*path: '/field-notes['/]",
    'a table': 'create table field_notes ',
    'a code of refusals': '\\bfield_note_not_found:',
    'a kind': "^    '?field-note'?: \\{ .*(true|counted)",
    'an event': "^    'field-notes-changed':",
    'a shape': '^export const FieldNote = ',
  }
}

/** The text of a list with one more area: its import in the order of paths, its entry at the end. */
function withArea(text, imported, entry) {
  const lines = text.split('\n')
  const pathOf = (line) => / from '(.*)'$/.exec(line)?.[1] ?? ''
  const [family] = /^\.+\/(features\/)?/.exec(pathOf(imported))
  const others = lines.filter((line) => line.startsWith('import {') && pathOf(line).startsWith(family))
  const next = others.find((line) => pathOf(line) > pathOf(imported))
  const at = next ? lines.indexOf(next) : lines.indexOf(others.at(-1)) + 1
  lines.splice(at, 0, imported)
  const end = lines.indexOf('] as const')
  if (others.length === 0 || end < 0) stop(`The list of areas was not found where ${entry} belongs.`)
  return lines.toSpliced(end, 0, `  ${entry},`).join('\n')
}

/**
 * Exported names of one word: a function is a verb, and neither a function nor a type is a past participle. `list` in
 * `format.ts` says nothing where it is imported; `formatList` does.
 */
import { placeOf } from './sources.mjs'

export const rule = 'Name it so that its import says what it is (STYLE, Files and names).'

/** What a function of one word may be called. Add a verb that has one obvious object in its file. */
const verbs = new Set(
  `announce append call compose diagnose drain estimate exchange fail follow highlight lex migrate perform rank read
  refresh relay rewrap run sanitise scrub send toast transcribe translate unwrap upload wrap`.split(/\s+/),
)

/** Words of a language of our own, each explained where it is defined. */
const vocabulary = new Set(['area', 'cx', 'page', 'routes', 'setting'])

/** Brands are adjectives (STYLE), and names of shapes stand in the description of the interface. */
const adjectives = new Set(['Checked', 'Found', 'Named', 'Sealed'])

const irregular = new Set(
  `begun bound broken built chosen drawn driven felt found given gone grown heard held hidden kept known laid left lost made
  meant met paid said seen sent shown sold spent spoken taken taught told thought thrown understood unsent written`.split(
    /\s+/,
  ),
)

const isOneWord = (name) => /^[A-Z]?[a-z0-9]+$/.test(name)
const isParticiple = (word) =>
  irregular.has(word) || (/[^e]ed$/.test(word) && !/^(feed|seed|need|speed|embed)$/.test(word))

export function find(sources) {
  return sources
    .filter(({ ships }) => ships)
    .flatMap((source) =>
      source.program.body.flatMap(exportsOf).flatMap(({ kind, name, at }) => {
        const why = objectionTo(kind, name)
        return why === null ? [] : [`${placeOf(source, at)} ${name} ${why}`]
      }),
    )
}

function objectionTo(kind, name) {
  if (kind === 'value' || !isOneWord(name) || vocabulary.has(name) || adjectives.has(name)) return null
  if (isParticiple(name.toLowerCase())) return 'is a past participle'
  return kind === 'function' && /^[a-z]/.test(name) && !verbs.has(name) ? 'is a function and no verb' : null
}

function exportsOf(node) {
  const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : null
  if (!declared) return []
  const at = declared.start
  if (declared.type === 'FunctionDeclaration') return [{ kind: 'function', name: declared.id.name, at }]
  if (/^(TSInterface|TSTypeAlias|Class)Declaration$/.test(declared.type))
    return [{ kind: 'type', name: declared.id.name, at }]
  if (declared.type !== 'VariableDeclaration') return []
  return declared.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier') return []
    const isFunction = /^(ArrowFunction|Function)Expression$/.test(init?.type ?? '')
    return [{ kind: isFunction ? 'function' : 'value', name: id.name, at }]
  })
}

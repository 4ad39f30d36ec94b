/** XML as a tree, through fast-xml-parser. What a document type declares is never expanded, let alone fetched. */
import type { X2jOptions, XMLParser } from 'fast-xml-parser'
import { loadPackage } from '../load-package.ts'
import { ReadFault } from './fault.ts'

/** An element, names without their prefix. A text stands as an element `#text`. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

/** The root elements of a part of a package. Throws ReadFault: damaged, too_complex. */
export const parseXml = (bytes: Uint8Array | string): Element => {
  const text = typeof bytes === 'string' ? bytes : decodeXml(bytes)
  // Office never writes a document type; what one could declare are entities.
  if (text.includes('<!ENTITY')) throw new ReadFault('too_complex')
  return wrap('', {}, run(text))
}

/** UTF-8, or UTF-16 by its byte order mark. */
export const decodeXml = (bytes: Uint8Array): string => {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  return new TextDecoder(utf16 ?? 'utf-8').decode(bytes)
}

/** Children of that name. */
export const childrenOf = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const childOf = (element: Element | undefined, ...path: string[]): Element | undefined => {
  let at = element
  for (const name of path) at = at?.children.find((child) => child.name === name)
  return at
}

/** Every element of that name below, outermost first; those inside a found one are left out. */
export const findAll = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)))

/** All text below, as it stands. */
export const textOf = (element: Element | undefined): string =>
  element === undefined ? '' : element.name === '#text' ? element.text : element.children.map(textOf).join('')

const options: X2jOptions = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 250,
  processEntities: false,
  cdataPropName: '#cdata',
}

let made: XMLParser | undefined
const parser = (): XMLParser => (made ??= new (loadPackage('fast-xml-parser').XMLParser)(options))

type Node = Readonly<Record<string, readonly Node[] | Record<string, string> | string>>

const run = (text: string): readonly Node[] => {
  try {
    return parser().parse(text) as readonly Node[]
  } catch (error) {
    const deep = error instanceof RangeError || (error instanceof Error && /nested tags/i.test(error.message))
    throw new ReadFault(deep ? 'too_complex' : 'damaged')
  }
}

const nothing: readonly Element[] = []
const wrap = (name: string, attributes: Readonly<Record<string, string>>, nodes: readonly Node[]): Element => ({
  name,
  attributes,
  text: '',
  children: nodes.map((node) => {
    const key = Object.keys(node).find((candidate) => candidate !== ':@') ?? ''
    const value = node[key]
    if (key === '#text') return leaf(decodeEntities(String(value)))
    if (key === '#cdata') return leaf(textsOf(value as readonly Node[]))
    const own = (node[':@'] ?? {}) as Record<string, string>
    for (const [attribute, raw] of Object.entries(own)) if (raw.includes('&')) own[attribute] = decodeEntities(raw)
    return wrap(key, own, (value ?? []) as readonly Node[])
  }),
})

const leaf = (text: string): Element => ({ name: '#text', attributes: {}, children: nothing, text })
const textsOf = (nodes: readonly Node[]): string => nodes.map((node) => String(node['#text'] ?? '')).join('')

/** The five names that XML knows by itself, and numbers (XML 1.0, 4.1 and 4.6). */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
        if (name) return named[String(name).toLowerCase()] ?? String(whole)
        const code = hex ? Number.parseInt(String(hex), 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : ''
      })
    : text
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Markdown as HTML for files that are read elsewhere: nothing in it runs, loads or is taken over as it was written. */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type DrawingTime, drawingTime, type FormulaText, takeFormulas } from './formulas.ts'
import { escapeHtml, plainHtml } from './html-text.ts'

type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]
type Parents = Extract<Nodes, { readonly children: readonly unknown[] }>
type Definition = Extract<Nodes, { readonly type: 'definition' }>

/** Longer texts would be parsed for too long: they stay as they are typed. */
const mostParsed = 200_000

/** Each text by itself. For a thread of its own: what models write may take long. */
export const markdownToHtml = (texts: readonly string[], time: DrawingTime = drawingTime()): string[] =>
  texts.map((text) => (text.length > mostParsed ? plainHtml(text) : parsedHtml(text, time)))

const parsedHtml = (text: string, time: DrawingTime): string => {
  const root = parse(text)
  const formulas = takeFormulas(text, root, time)
  const plain = formulas.text === text ? root : parse(formulas.text)
  return render(plain, { links: definitionsOf(plain), formulas })
}

const parse = (text: string): Root => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

interface Rest {
  readonly links: Definitions
  readonly formulas: FormulaText
}

type Definitions = ReadonlyMap<string, Definition>

/** Where references lead; the first of a name counts. */
const definitionsOf = (root: Root): Definitions => {
  const found = new Map<string, Definition>()
  for (const node of root.children)
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node)
  return found
}

const render = (node: Nodes, rest: Rest): string => {
  const { links, formulas } = rest
  const inside = (of: Parents): string => of.children.map((child) => render(child, rest)).join('')
  const written = (words: string): string => escapeHtml(formulas.toSource(words))
  switch (node.type) {
    case 'text':
      return formulas.toHtml(node.value)
    case 'html':
      return written(node.value)
    case 'paragraph':
      return `<p dir="auto">${inside(node)}</p>\n`
    case 'heading': {
      // Below the heading of the message.
      const level = Math.min(6, node.depth + 2)
      return `<h${level} dir="auto">${inside(node)}</h${level}>\n`
    }
    case 'emphasis':
      return `<em>${inside(node)}</em>`
    case 'strong':
      return `<strong>${inside(node)}</strong>`
    case 'delete':
      return `<del>${inside(node)}</del>`
    case 'inlineCode':
      return `<code>${written(node.value)}</code>`
    case 'code':
      return `<pre><code${languageOf(node.lang)}>${written(node.value)}</code></pre>\n`
    case 'blockquote':
      return `<blockquote>${inside(node)}</blockquote>\n`
    case 'list':
      return node.ordered ? `<ol start="${node.start ?? 1}">${inside(node)}</ol>\n` : `<ul>${inside(node)}</ul>\n`
    case 'listItem': {
      const box = node.checked === null || node.checked === undefined ? '' : node.checked ? '☑ ' : '☐ '
      return `<li dir="auto">${box}${inside(node)}</li>\n`
    }
    case 'link':
      return linkTo(formulas.toSource(node.url), inside(node))
    case 'linkReference':
      return linkTo(formulas.toSource(links.get(node.identifier)?.url ?? ''), inside(node))
    // Pictures from elsewhere would tell their host who reads the file.
    case 'image':
      return linkTo(formulas.toSource(node.url), written(node.alt ?? node.url))
    case 'imageReference':
      return linkTo(formulas.toSource(links.get(node.identifier)?.url ?? ''), written(node.alt ?? ''))
    case 'break':
      return '<br>\n'
    case 'thematicBreak':
      return '<hr>\n'
    case 'table':
      return `<table>${node.children
        .map((row, index) => {
          const cell = index === 0 ? 'th' : 'td'
          return `<tr>${row.children.map((one) => `<${cell} dir="auto">${inside(one)}</${cell}>`).join('')}</tr>`
        })
        .join('\n')}</table>\n`
    case 'footnoteReference':
      return `<sup>[${written(node.label ?? node.identifier)}]</sup>`
    case 'footnoteDefinition':
      return `<div><sup>[${written(node.label ?? node.identifier)}]</sup> ${inside(node)}</div>\n`
    case 'definition':
    case 'yaml':
      return ''
    case 'root':
    case 'tableRow':
    case 'tableCell':
      return inside(node)
  }
}

/** Of diagrams alone: whoever shows the page may draw them. */
const languageOf = (language: string | null | undefined): string =>
  language?.toLowerCase() === 'mermaid' ? ' class="language-mermaid"' : ''

/** A link where the address is one that may be followed; else what it is called. */
const linkTo = (url: string, words: string): string =>
  /^(?:https?:\/\/|mailto:)/i.test(url) ? `<a href="${escapeHtml(url)}" rel="noreferrer">${words}</a>` : words

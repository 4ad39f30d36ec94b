/** Forms that hold no pages but a description of them (XFA 3.3); the page that the file shows otherwise asks for Acrobat. */
import type { PDFPageProxy } from 'pdfjs-dist'

/** An element as pdf.js lays it out, as far as it is read. */
interface FormNode {
  readonly name?: string
  readonly value?: string
  readonly attributes?: {
    readonly class?: readonly string[]
    readonly style?: Readonly<Record<string, string>>
    readonly hidden?: boolean
    readonly type?: string
    readonly value?: string
    readonly textContent?: string
    readonly checked?: boolean
    readonly selected?: boolean
  }
  readonly children?: readonly (FormNode | null)[]
}

/** What a page of such a form says, with what was filled in; a field and its label share a line. */
export const formText = async (page: PDFPageProxy): Promise<string> => {
  const parts: string[] = []
  say((await page.getXfa()) as FormNode | null, '\n', parts)
  return parts
    .join('')
    .replace(/[\t \u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** `apart` is what stands between blocks: a line end, or a space in a field. */
const say = (node: FormNode | null, apart: string, parts: string[]): void => {
  const attributes = node?.attributes
  if (!node || attributes?.hidden || attributes?.style?.['visibility'] === 'hidden') return
  if (attributes?.style?.['display'] === 'none') return
  const between = attributes?.class?.includes('xfaField') ? ' ' : apart
  const block = blocks.has(node.name ?? '')
  if (block) parts.push(apart)
  parts.push(ownText(node))
  for (const child of node.children ?? [])
    if (node.name !== 'select' || child?.attributes?.selected) say(child, between, parts)
  if (block) parts.push(apart)
}

const blocks = new Set(['div', 'p', 'br', 'li', 'input', 'textarea', 'select', 'button'])

const ownText = ({ name, value, attributes }: FormNode): string => {
  if (name !== 'input') return attributes?.textContent ?? value ?? ''
  const isMark = attributes?.type === 'checkbox' || attributes?.type === 'radio'
  return isMark ? (attributes.checked ? '✓' : '') : (attributes?.value ?? '')
}

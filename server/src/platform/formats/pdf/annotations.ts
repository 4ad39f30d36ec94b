/** What stands on a page beside its text: values of form fields, texts typed or stamped onto it, signatures, and remarks. */
import type { PDFPageProxy } from 'pdfjs-dist'
import { drawnTexts } from './drawn-text.ts'

/** One of pdf.js' annotations, as far as it is read; which members it has depends on its kind. */
interface Annotation {
  readonly id?: string
  readonly subtype?: string
  readonly annotationFlags?: number
  readonly hasAppearance?: boolean
  /** What is written in its drawing, of some kinds. */
  readonly textContent?: readonly string[]
  readonly hidden?: boolean
  readonly contentsObj?: { readonly str: string }
  readonly titleObj?: { readonly str: string }
  readonly fieldType?: string
  readonly fieldName?: string
  readonly fieldValue?: unknown
  readonly alternativeText?: string
  readonly password?: boolean
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[]
  readonly combo?: boolean
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly pushButton?: boolean
  readonly exportValue?: string
  readonly buttonValue?: string
}

/** Hidden, or shown neither on the screen nor on paper (ISO 32000-1, 12.5.3). */
const hiddenFlags = 0x02 | 0x20

/**
 * A line for each, in the order of the page: `label: value` for a field, what is written on it for a button, a stamp and a
 * signature, `author: text` for a remark.
 */
export const annotationLines = async (page: PDFPageProxy): Promise<string[]> => {
  const shown = ((await page.getAnnotations()) as readonly Annotation[]).filter(
    ({ hidden, annotationFlags }) => !hidden && ((annotationFlags ?? 0) & hiddenFlags) === 0,
  )
  const drawn = shown.some(isOnlyDrawn) ? await drawnTexts(page) : new Map<string, string>()
  const lines = shown.flatMap((annotation) => {
    if (isOnlyDrawn(annotation)) return drawn.get(annotation.id ?? '') ?? []
    if (annotation.subtype === 'Widget') return fieldLine(annotation)
    const text = wordsOf(annotation) || typedOnto(annotation)
    if (text === '' || silent.has(annotation.subtype ?? '')) return []
    return [labelled(annotation.subtype === 'FreeText' ? '' : annotation.titleObj?.str, text)]
  })
  return [...new Set(lines)]
}

/**
 * Whether what people read on it stands in its drawing alone. To look for that holds all that the page draws in memory, so
 * a line or a frame of a reviewer must not cause it.
 */
const isOnlyDrawn = (annotation: Annotation): boolean => {
  if (annotation.pushButton) return true
  if (!annotation.hasAppearance) return false
  return annotation.fieldType === 'Sig' || (annotation.subtype === 'Stamp' && wordsOf(annotation) === '')
}
const silent = new Set(['Link', 'Popup'])

const wordsOf = ({ contentsObj }: Annotation): string => contentsObj?.str.trim() ?? ''

const typedOnto = ({ subtype, textContent }: Annotation): string =>
  subtype === 'FreeText' ? (textContent ?? []).join(' ').trim() : ''

const fieldLine = (field: Annotation): string[] => {
  const value = valueOf(field).trim()
  return value === '' || field.password ? [] : [labelled(field.alternativeText?.trim() || nameOf(field), value)]
}

const mostOptions = 100

const valueOf = ({ fieldType, fieldValue, options, ...field }: Annotation): string => {
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((one) => typeof one === 'string')
  // Some programs draw what was typed and keep no value.
  if (fieldType === 'Tx') return values.join(', ') || (field.textContent ?? []).join(' ')
  if (fieldType === 'Ch' && !field.combo && options && options.length <= mostOptions) {
    // A list shows all that can be chosen.
    const isChosen = (one: string): string => (values.includes(one) ? ' ✓' : '')
    return options.map(({ exportValue, displayValue }) => `${displayValue}${isChosen(exportValue)}`).join(', ')
  }
  if (fieldType === 'Ch') {
    const shown = values.map((one) => options?.find(({ exportValue }) => exportValue === one)?.displayValue ?? one)
    return shown.join(', ')
  }
  if (field.radioButton) return values[0] === field.buttonValue ? (field.buttonValue ?? '') : ''
  return field.checkBox && values[0] === field.exportValue ? '✓' : ''
}

/** The last step of a path such as `form[0].page[1].Name[0]`. */
const nameOf = ({ fieldName }: Annotation): string => (fieldName ?? '').replace(/^.*\./, '').replace(/\[\d+\]$/, '')

const labelled = (label: string | undefined, text: string): string => (label ? `${label}: ${text}` : text)

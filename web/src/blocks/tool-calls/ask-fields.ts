/** What a model or a server asks of a person, as fields of one form: questions and flat JSON Schemas alike. */
import type { ToolApproval, ToolQuestion } from '@atrium/contract/generation'
import { isRecord } from './parse.ts'

export interface AskField {
  readonly id: string
  readonly label: string
  readonly help: string | null
  readonly kind: 'choice' | 'text' | 'number' | 'boolean' | 'file'
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** Several of the options may be taken. */
  readonly several: boolean
  readonly required: boolean
  readonly isInteger: boolean
  readonly initial: AskValue
}

export type AskValue = string | boolean | readonly string[] | AskFile

/** A file on its way to the chat, and then by what the server knows it. */
export interface AskFile {
  readonly name: string
  readonly answer: { readonly attachmentId: string } | { readonly documentId: string } | null
}

export const isFile = (value: AskValue): value is AskFile => typeof value === 'object' && !Array.isArray(value)

/** More than these are asked of nobody. */
const mostFields = 30

/** The fields of a form; none where nothing is asked. */
export const fieldsOf = ({ questions, schema }: Pick<ToolApproval, 'questions' | 'schema'>): AskField[] =>
  questions ? questions.map(fieldOfQuestion) : schema ? fieldsOfSchema(schema) : []

function fieldOfQuestion({ id, text, kind, options = [], several = false }: ToolQuestion): AskField {
  const isChoice = kind === 'choice' && options.length > 0
  return {
    id,
    label: text,
    help: null,
    kind: isChoice ? 'choice' : kind === 'number' || kind === 'file' ? kind : 'text',
    options: options.map((value) => ({ value, label: value })),
    several: isChoice && several,
    required: true,
    isInteger: false,
    initial: isChoice && several ? [] : '',
  }
}

/** As MCP's elicitation has them: one level of texts, numbers, yes or no, and choices. */
function fieldsOfSchema({ properties, required }: Record<string, unknown>): AskField[] {
  if (!isRecord(properties)) return []
  const wanted = Array.isArray(required) ? required : []
  return Object.entries(properties)
    .slice(0, mostFields)
    .flatMap(([id, said]) => (isRecord(said) ? [fieldOfProperty(id, said, wanted.includes(id))] : []))
}

function fieldOfProperty(id: string, said: Record<string, unknown>, required: boolean): AskField {
  const { type, title, description, items } = said
  const several = type === 'array'
  const options = optionsOf(several && isRecord(items) ? items : said)
  const kind =
    options.length > 0
      ? 'choice'
      : type === 'boolean'
        ? 'boolean'
        : type === 'number' || type === 'integer'
          ? 'number'
          : 'text'
  return {
    id,
    label: words(title) ?? id,
    help: words(description),
    kind,
    options,
    several,
    required,
    isInteger: type === 'integer',
    initial: initialOf(said['default'], kind, several),
  }
}

function optionsOf({ enum: values, enumNames, oneOf, anyOf }: Record<string, unknown>): AskField['options'] {
  const named = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : null
  if (named)
    return named.flatMap((each: unknown) =>
      isRecord(each) && typeof each['const'] === 'string'
        ? [{ value: each['const'], label: words(each['title']) ?? each['const'] }]
        : [],
    )
  if (!Array.isArray(values)) return []
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
  return values.flatMap((value: unknown, index) =>
    typeof value === 'string' ? [{ value, label: words(names[index]) ?? value }] : [],
  )
}

function initialOf(said: unknown, kind: AskField['kind'], several: boolean): AskValue {
  if (kind === 'boolean') return said === true
  if (several) return Array.isArray(said) ? said.filter((each): each is string => typeof each === 'string') : []
  return typeof said === 'string' || typeof said === 'number' ? String(said) : ''
}

const words = (said: unknown): string | null => (typeof said === 'string' && said.trim() !== '' ? said : null)

export type AskFault = 'missing' | 'number' | 'integer' | 'file' | 'uploading'

/** What is wrong with an answer; null: nothing. */
export function faultOf(field: AskField, value: AskValue): AskFault | null {
  if (field.kind === 'boolean') return null
  if (field.kind === 'file') return !isFile(value) ? 'file' : value.answer === null ? 'uploading' : null
  const isEmpty = typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
  if (isEmpty) return field.required ? 'missing' : null
  if (field.kind !== 'number' || typeof value !== 'string') return null
  const number = Number(value)
  if (!Number.isFinite(number)) return 'number'
  return field.isInteger && !Number.isInteger(number) ? 'integer' : null
}

/** The answers as they are sent: numbers as numbers, and nothing for what was left empty. */
export function answersOf(
  fields: readonly AskField[],
  values: Readonly<Record<string, AskValue>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const value = values[field.id] ?? field.initial
      if (field.kind === 'boolean') return [[field.id, value === true]]
      if (isFile(value)) return value.answer === null ? [] : [[field.id, value.answer]]
      if (typeof value !== 'string') return Array.isArray(value) && value.length > 0 ? [[field.id, value]] : []
      if (value.trim() === '') return []
      return [[field.id, field.kind === 'number' ? Number(value) : value]]
    }),
  )
}

/** How much a JSON text of a client may hold, and what is said where it holds more. */
export interface JsonBounds {
  /** Objects, arrays, texts, numbers and words, all together. */
  readonly maxValues: number
}

/** Real bodies are some ten levels deep; what walks a value by recursion is safe for thousands of them. */
export const maxDepth = 64

/** Characters of the name of a member. */
export const maxNameLength = 1024

/** Characters of a number. Those that programs write have at most 25. */
export const maxNumberLength = 64

/** For bodies of up to 2 MiB: far more than any form has, and read and checked within some milliseconds. */
export const usualBounds: JsonBounds = { maxValues: 20_000 }

export type JsonFaultKind = 'syntax' | 'text' | 'nul' | 'depth' | 'values' | 'name' | 'number' | 'prototype'

/** Why a JSON text is not read; the message is a sentence for who sent it. */
export class JsonFault extends Error {
  readonly kind: JsonFaultKind
  constructor(kind: JsonFaultKind, { maxValues }: JsonBounds = usualBounds) {
    super(sentences[kind].replace('{values}', maxValues.toLocaleString('en')))
    this.kind = kind
  }
}

const sentences: Readonly<Record<JsonFaultKind, string>> = {
  syntax: 'The body isn’t valid JSON.',
  text: 'The body isn’t valid UTF-8.',
  nul: 'The body contains the character U+0000, which can’t be stored.',
  depth: `The body is nested deeper than ${maxDepth} levels.`,
  values: 'The body has more than {values} values. Send fewer at once.',
  name: `A property name in the body is longer than ${maxNameLength} characters.`,
  number: `A number in the body is too large, or longer than ${maxNumberLength} characters.`,
  prototype: 'The body contains a property that isn’t accepted: `__proto__`, or `prototype` in a `constructor`.',
}

/** Joins the pieces of tool calls by their index, and passes them on as they come. */
import { maxToolArgumentsLength } from '../answer-bounds.ts'
import type { Part } from '../types.ts'
import { newCallId } from './call-id.ts'
import { asCount, asObject, asText, type Json, mostCallsRead } from './json.ts'

interface Pending {
  id: string
  name: string
  arguments: string
  /** Its number among the calls that were told of; null until its name is known. */
  number: number | null
}

export interface ToolCallCollector {
  /** One piece: the beginning of a call, or more of one. */
  add(piece: Json | null): Part[]
  any(): boolean
  /** All calls, whole. */
  end(): Part[]
}

export function createToolCallCollector(): ToolCallCollector {
  const byIndex = new Map<number, Pending>()
  let last = 0
  let told = 0

  const grow = (call: Pending, delta: string): Part[] => {
    if (call.number === null || delta === '') return []
    return [{ type: 'tool-call-delta', index: call.number, delta }]
  }

  const begin = (call: Pending): Part[] => {
    if (call.number !== null || call.name === '') return []
    call.number = told
    call.id ||= newCallId()
    told += 1
    return [
      { type: 'tool-call-start', index: call.number, id: call.id, name: call.name },
      ...grow(call, call.arguments),
    ]
  }

  return {
    add(piece) {
      if (!piece) return []
      const id = asText(piece['id'])
      const fn = asObject(piece['function'])
      // Where no index is given, an id begins a new call and everything else belongs to the last one.
      const index =
        asCount(piece['index']) ?? (id && byIndex.size > 0 && byIndex.get(last)?.id !== id ? last + 1 : last)
      last = index
      if (!byIndex.has(index) && byIndex.size >= mostCallsRead) return []
      const call = byIndex.get(index) ?? { id: '', name: '', arguments: '', number: null }
      byIndex.set(index, call)
      call.id ||= id
      call.name ||= asText(fn?.['name'])
      const delta = argumentsText(fn?.['arguments'])
      const grown = grow(call, delta)
      // Beyond the bound the answer ends anyway, as soon as the call has a name.
      if (call.arguments.length <= maxToolArgumentsLength) call.arguments += delta
      return [...grown, ...begin(call)]
    },
    any: () => told > 0,
    end() {
      const parts: Part[] = []
      const named = [...byIndex.values()].filter((call) => call.number !== null)
      for (const call of named.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))) {
        if (call.arguments === '') {
          call.arguments = '{}'
          parts.push(...grow(call, '{}'))
        }
        parts.push({ type: 'tool-call', call: { id: call.id, name: call.name, arguments: call.arguments } })
      }
      return parts
    },
  }
}

const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

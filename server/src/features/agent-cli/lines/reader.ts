/** The lines of one turn as parts of an answer, by the table of the agent. Pure. */
import type { ToolCall } from '@atrium/contract/generation'
import type { Part } from '../../../providers/types.ts'
import { createCallLog, cutText, maxIdChars, maxListed, maxNameChars, maxPathChars } from '../calls.ts'
import type { SessionTokens } from '../connection.ts'
import { createParagraphs } from '../paragraphs.ts'
import type { LineTable, Rule } from './table.ts'
import { fillTemplate, matchesCondition, textAt, textOf, valueAt } from './values.ts'

/** What a line wants of the other side. */
export type Request =
  | { readonly type: 'question'; readonly id: string; readonly callId: string; readonly values: QuestionValues }
  | { readonly type: 'answer'; readonly line: unknown }
/** What answers may be made of. */
export type QuestionValues = Readonly<Record<'id' | 'name' | 'arguments', unknown>>

export interface LineReader {
  /** Throws ProviderFailure `too_large` where there is too much of it. */
  read(line: unknown): { readonly parts: readonly Part[]; readonly requests: readonly Request[] }
  /** What was kept back of the words, and what was used. */
  end(): Part[]
  readonly session: string | null
  /** It said that the turn is over. */
  readonly isOver: boolean
  /** Why it cannot answer, in its own words, which nobody is shown. */
  readonly failure: string | null
  /** Something of the answer came. */
  readonly hasTold: boolean
  /** Of the session, where it counts so. */
  readonly tokens: SessionTokens | undefined
}

type RuleOf<Tells extends Rule['tells']> = Extract<Rule, { tells: Tells }>
type CallRule = RuleOf<'call'> | RuleOf<'question'>

/** `before`: tokens that the session had used already. */
export const createLineReader = ({ rules }: LineTable, before?: SessionTokens): LineReader => {
  const calls = createCallLog()
  const written = { text: createParagraphs('text'), reasoning: createParagraphs('reasoning') }
  let session: string | null = null
  let isOver = false
  let failure: string | null = null
  let hasTold = false
  let used: { input: number; output: number; cached: number; reasoning: number } | null = null
  let tokens: SessionTokens | undefined

  const told = (parts: Part[]): Part[] => {
    if (parts.length === 0) return parts
    hasTold = true
    failure = null
    return parts
  }

  const readCall = (rule: CallRule, value: unknown): Part[] => {
    const id = idAt(value, rule.id)
    if (id === null) return []
    const known = calls.find(id)
    const name = rule.name === undefined ? null : textOf(valueAt(value, rule.name))
    const given = rule.arguments === undefined ? undefined : valueAt(value, rule.arguments)
    const files = filesOf(rule, value)
    const after = rule.change && textOf(valueAt(value, rule.change.after))
    const changed = rule.change?.before === undefined ? null : textOf(valueAt(value, rule.change.before))
    const path = files[0]
    return calls.tell({
      ...(known ?? { id, name: 'tool', arguments: '' }),
      ...((name ?? rule.title) ? { name: cutText(name ?? rule.title ?? '', maxNameChars) } : {}),
      ...(given === undefined ? {} : { arguments: cutText(typeof given === 'string' ? given : JSON.stringify(given)) }),
      ...(files.length > 0 ? { places: files.map((file) => ({ path: file, line: null })) } : {}),
      ...(path !== undefined && typeof after === 'string'
        ? { changes: [{ path, before: changed === null ? null : cutText(changed), after: cutText(after) }] }
        : {}),
    })
  }

  const readPlan = (rule: RuleOf<'plan'>, value: unknown): Part[] => {
    const listed = valueAt(value, rule.steps)
    if (!Array.isArray(listed)) return []
    const steps: NonNullable<ToolCall['steps']> = listed.slice(0, maxListed).map((step: unknown) => ({
      text: cutText(textOf(valueAt(step, rule.text)) ?? '', maxPathChars),
      state: matchesCondition(rule.done, step)
        ? 'done'
        : rule.running && matchesCondition(rule.running, step)
          ? 'running'
          : 'pending',
    }))
    return calls.tell({ id: 'plan', name: 'plan', arguments: '', steps })
  }

  const countTokens = (rule: RuleOf<'usage'>, value: unknown): void => {
    const at = (path: string | undefined): number => {
      const number = path === undefined ? 0 : valueAt(value, path)
      return typeof number === 'number' && number >= 0 ? Math.round(number) : 0
    }
    const now = {
      input: rule.input.reduce((sum, path) => sum + at(path), 0),
      output: at(rule.output),
      cached: at(rule.cached),
      reasoning: at(rule.reasoning),
    }
    if (rule.of === 'request' && used) {
      used.input += now.input
      used.output += now.output
      used.cached += now.cached
      used.reasoning += now.reasoning
      return
    }
    used = now
    if (rule.of !== 'session') return
    tokens = { input: now.input, output: now.output, cached: now.cached }
    // Where it began to count anew there is nothing to take away.
    const since = before && before.input <= now.input && before.output <= now.output ? before : null
    if (since) {
      const cached = Math.max(0, now.cached - since.cached)
      used = { ...now, input: now.input - since.input, output: now.output - since.output, cached }
    }
  }

  const apply = (rule: Rule, value: unknown, parts: Part[], requests: Request[]): void => {
    switch (rule.tells) {
      case 'session':
        session = idAt(value, rule.id) ?? session
        return
      case 'text':
      case 'reasoning': {
        if (rule.tells === 'text' && rule.otherwise && hasTold) return
        const words = valueAt(value, rule.text)
        if (typeof words === 'string' && words !== '') parts.push(...told(written[rule.tells].push(words, rule.whole)))
        return
      }
      case 'paragraph':
        return written.text.breakOff()
      case 'call':
        parts.push(...told(readCall(rule, value)))
        return written.text.breakOff()
      case 'result': {
        const id = idAt(value, rule.id)
        const status = rule.failed && matchesCondition(rule.failed, value) ? 'failed' : 'done'
        if (id !== null) parts.push(...calls.end(id, status, textAt(value, rule.text) ?? ''))
        return
      }
      case 'plan':
        parts.push(...told(readPlan(rule, value)))
        return
      case 'usage':
        return countTokens(rule, value)
      case 'failure':
        failure = textAt(value, rule.text) ?? ''
        return
      case 'end':
        isOver = true
        return
      case 'question': {
        parts.push(...told(readCall(rule, value)))
        const id = textOf(valueAt(value, rule.question))
        const callId = idAt(value, rule.id)
        if (id === null || callId === null) return
        const name = rule.name === undefined ? null : valueAt(value, rule.name)
        const given = rule.arguments === undefined ? null : valueAt(value, rule.arguments)
        requests.push({ type: 'question', id, callId, values: { id, name, arguments: given } })
        return
      }
      case 'request':
        requests.push({ type: 'answer', line: fillTemplate(rule.answer, { id: valueAt(value, rule.question) }) })
    }
  }

  return {
    read(line) {
      const parts: Part[] = []
      const requests: Request[] = []
      for (const rule of rules) {
        if (!matchesCondition(rule.when, line)) continue
        const listed = rule.each === undefined ? [line] : valueAt(line, rule.each)
        if (!Array.isArray(listed)) continue
        for (const value of listed) if (matchesCondition(rule.where ?? {}, value)) apply(rule, value, parts, requests)
      }
      return { parts, requests }
    },
    end() {
      const parts = [...written.reasoning.end(), ...written.text.end()]
      if (!used) return parts
      const { input, output, cached, reasoning } = used
      const also = { cachedTokens: cached || undefined, reasoningTokens: reasoning || undefined }
      return [...parts, { type: 'usage', inputTokens: input, outputTokens: output, ...also }]
    },
    get session() {
      return session
    },
    get isOver() {
      return isOver
    },
    get failure() {
      return failure
    },
    get hasTold() {
      return hasTold
    },
    get tokens() {
      return tokens
    },
  }
}

const idAt = (value: unknown, path: string): string | null => {
  const id = textOf(valueAt(value, path))
  return id === null || id === '' ? null : cutText(id, maxIdChars)
}

const filesOf = ({ file, files }: CallRule, value: unknown): string[] => {
  const listed = files === undefined ? [value] : valueAt(value, files)
  if (file === undefined || !Array.isArray(listed)) return []
  return listed.slice(0, maxListed).flatMap((one: unknown) => {
    const path = textOf(valueAt(one, file))
    return path ? [cutText(path, maxPathChars)] : []
  })
}

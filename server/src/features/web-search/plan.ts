/** From a question to what an engine is asked: at most three searches, worded by the chat's own model where there is one. */
import type { WebQuestion } from '../../core/generation/index.ts'
import type { TimeSpan, SearchTopic } from './engines.ts'

export interface SearchPlan {
  readonly queries: readonly string[]
  readonly span: TimeSpan | null
  readonly topic: SearchTopic | null
}

const longest = 200
const spans: readonly string[] = ['day', 'week', 'month', 'year'] satisfies TimeSpan[]
const topics: readonly string[] = ['news', 'science', 'it'] satisfies SearchTopic[]

export const planPrompt = `You plan web searches. Answer with JSON only: {"queries": [1 to 3 short search queries in the language of the question], "time_range": "day" | "week" | "month" | "year" | null, "category": "news" | "science" | "it" | null}. Queries must make sense without the conversation. No explanation.`

/** The question with what was said last, for the model that plans. */
export const planQuestion = ({ text, history }: Pick<WebQuestion, 'text' | 'history'>, today: string): string =>
  [
    `Today is ${today}.`,
    ...history.slice(-4).map(({ role, text: said }) => `${role}: ${said.slice(0, 600)}`),
    `question: ${text.slice(0, 2000)}`,
  ].join('\n')

/** The question as it is. */
export const plainPlan = (text: string): SearchPlan => ({
  queries: [text.replace(/\s+/g, ' ').trim().slice(0, 400)],
  span: null,
  topic: null,
})

/** Reads what a model planned; null when there is nothing in it that could be searched for. */
export const readPlan = (answer: string): SearchPlan | null => {
  const written = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  let plan: { queries?: unknown; time_range?: unknown; category?: unknown } | null
  try {
    plan = JSON.parse(written) as typeof plan
  } catch {
    // Models often write something else than they were asked for; the question itself is searched for then.
    return null
  }
  if (typeof plan !== 'object' || plan === null || !Array.isArray(plan.queries)) return null
  const queries = plan.queries
    .filter((query): query is string => typeof query === 'string' && /[\p{L}\p{N}]/u.test(query))
    .map((query) => query.replace(/\s+/g, ' ').trim().slice(0, longest))
  const distinct = [...new Set(queries)].slice(0, 3)
  if (distinct.length === 0) return null
  const { time_range: span, category: topic } = plan
  return {
    queries: distinct,
    span: spans.includes(String(span)) ? (span as TimeSpan) : null,
    topic: topics.includes(String(topic)) ? (topic as SearchTopic) : null,
  }
}

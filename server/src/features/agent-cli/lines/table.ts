/** The table of an agent that prints JSON lines: what it is sent, and what each kind of its lines means to us. */
import { ToolDecision } from '@atrium/contract/generation'
import { z } from 'zod'

/** Names of fields with dots between them; empty: the value itself. */
const Path = z.string().max(200)
const Constant = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Expected = z.union([Constant, z.array(Constant), z.strictObject({ not: z.array(Constant) })])
/** Of fields: all of them have to be one of the values. A field that is absent counts as null. */
const Condition = z.record(Path, Expected)
export type Condition = z.infer<typeof Condition>

/** A line to be sent; `{name}` in its texts stands for a value, and a text that is nothing else becomes that value. */
const Template = z.record(z.string(), z.json())

const rule = <const Tells extends string, const Shape extends z.ZodRawShape>(tells: Tells, shape: Shape) =>
  z.strictObject({
    tells: z.literal(tells),
    /** Of the line. */
    when: Condition,
    /** A list in the line: the rule holds for each of its values, and further paths begin there. */
    each: Path.optional(),
    /** Of the value. */
    where: Condition.optional(),
    ...shape,
  })

const words = {
  text: Path,
  /** A piece of its own, which begins a paragraph. */
  whole: z.boolean().default(false),
}

/** What is known of a call. */
const call = {
  id: Path,
  /** Of the tool. */
  name: Path.optional(),
  /** The same, in words of ours. */
  title: z.string().optional(),
  arguments: Path.optional(),
  /** A file that it is about; with `files` one for each value of that list. */
  file: Path.optional(),
  files: Path.optional(),
  /** What it changes in that file. */
  change: z.strictObject({ before: Path.optional(), after: Path }).optional(),
}

const Rule = z.discriminatedUnion('tells', [
  rule('session', { id: Path }),
  /** `otherwise`: only where nothing has been said. */
  rule('text', { ...words, otherwise: z.boolean().default(false) }),
  rule('reasoning', words),
  /** The next words begin a paragraph. */
  rule('paragraph', {}),
  rule('call', call),
  rule('result', { id: Path, text: z.array(Path), failed: Condition.optional() }),
  rule('plan', { steps: Path, text: Path, done: Condition, running: Condition.optional() }),
  /** Tokens: of the turn, of one of several requests in it, or of all turns of the session. */
  rule('usage', {
    input: z.array(Path),
    output: Path,
    cached: Path.optional(),
    reasoning: Path.optional(),
    of: z.enum(['turn', 'request', 'session']),
  }),
  /** It cannot answer, unless more words come. */
  rule('failure', { text: z.array(Path) }),
  /** The turn is over. */
  rule('end', {}),
  /** It waits for a decision about a call. */
  rule('question', { ...call, question: Path }),
  /** It waits for something else, and gets this. */
  rule('request', { question: Path, answer: Template }),
])
export type Rule = z.infer<typeof Rule>

export const LineTable = z.strictObject({
  /**
   * `words`: it reads all of its input, answers and ends. Else a line for each turn, where `{blocks}` stands for the
   * words and pictures.
   */
  input: z.union([z.literal('words'), z.strictObject({ line: Template, text: Template, image: Template.optional() })]),
  /** Added for each picture, which stands in a file in the place of `{file}`. */
  imageArgs: z.array(z.string()).optional(),
  /** Its id stays the same for as long as it knows the session. */
  keepsSession: z.boolean().default(false),
  /** What it is sent for each decision that it understands. */
  answers: z.partialRecord(ToolDecision, Template).optional(),
  /** Words of its failures by which they are told apart. */
  failures: z.partialRecord(z.enum(['signIn', 'limit', 'tooLong']), z.array(z.string().min(3))).default({}),
  rules: z.array(Rule).max(100),
})
export type LineTable = z.infer<typeof LineTable>

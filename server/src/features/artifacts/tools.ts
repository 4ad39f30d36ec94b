/**
 * What models may do with artifacts: make one, read it as it stands, and change it. Only the account's own are reached, so
 * that nothing a model reads makes it write into what somebody else shared. None of it counts as a side effect: each change
 * is a version beside the others, which a person sees at once and takes back with one click.
 */
import { ArtifactContent, ArtifactKind, ArtifactLanguage, ArtifactTitle } from '@atrium/contract/artifacts'
import { z } from 'zod'
import { idOfCall } from '../../platform/areas/call-id.ts'
import { nameLine } from '../../platform/areas/tool-text.ts'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../../platform/areas/tool.ts'
import { fail } from '../../platform/http/refusal.ts'
import { describeChanges } from './changes.ts'
import type { ArtifactsContext } from './context.ts'
import { applyEdits } from './edits.ts'
import type { StoredArtifact } from './stores/rows.ts'
import { changeArtifact, createArtifact, readArtifact, readCurrent, type Writer } from './write.ts'

const ArtifactId = z.string().min(1).max(200).describe('As create_artifact told it')

export const artifactTools = (context: ArtifactsContext): Tool[] => [
  defineTool({
    name: 'create_artifact',
    description:
      'Creates an artifact, which the user sees, edits and keeps beside the chat: a web page (one HTML file), a React component (JSX or TSX with a default export), an SVG drawing, a Mermaid diagram, a Markdown document, code, a CSV table, JSON, or a chart (a Chart.js configuration as JSON). Use it for what stands on its own and will be looked at, kept or changed; not for short snippets. There is no network: pages and components have Tailwind classes, and can import react, d3, chart.js/auto, three, mermaid, katex, papaparse and lucide-react, or load these from a CDN address.',
    arguments: z.strictObject({
      kind: ArtifactKind,
      title: ArtifactTitle,
      content: ArtifactContent.describe('All of it'),
      language: ArtifactLanguage.optional().describe('Of code, such as python'),
    }),
    sideEffect: false,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    showsDraft: true,
    async run({ language = null, ...given }, call) {
      const made = { ...given, id: idOfCall(call), language, chatId: call.chatId }
      const artifact = await createArtifact(context, made, byModel(call))
      return outputOf(artifact, 'Created')
    },
  }),

  defineTool({
    name: 'read_artifact',
    description:
      'Reads one of the user’s artifacts as it stands now. The user may have edited it since you wrote it: read it before you change what you have not just written.',
    arguments: z.strictObject({ id: ArtifactId }),
    sideEffect: false,
    readsPrivateData: true,
    readsForeignText: true,
    sendsData: false,
    describeChanges: (calls, asked) => describeChanges(context, calls, asked),
    async run({ id }, call) {
      const { artifact, newest } = await readCurrent(context, await readOwn(context, id, call))
      const { content, authorKind } = newest
      const by = authorKind === 'model' ? 'a model' : 'a person'
      const about = `“${nameLine(artifact.title)}”, ${artifact.kind}, version ${artifact.version}, written by ${by}:`
      return { text: `${about}\n\n${content}`, links: [linkTo(artifact)] }
    },
  }),

  defineTool({
    name: 'update_artifact',
    description:
      'Changes one of the user’s artifacts: by edits of exact passages, or, where most of it changes, by a whole new content. All edits are made, or none. The version before is kept.',
    arguments: z
      .strictObject({
        id: ArtifactId,
        edits: z
          .array(
            z.strictObject({
              old_text: z.string().min(1).max(20_000).describe('A passage, letter by letter as it stands'),
              new_text: z.string().max(500_000),
              everywhere: z.boolean().optional().describe('Change every place where it stands'),
            }),
          )
          .min(1)
          .max(50)
          .optional(),
        content: ArtifactContent.optional().describe('All of it, in the place of edits'),
        title: ArtifactTitle.optional(),
      })
      .refine(({ edits, content, title }) => (edits && content ? false : (edits ?? content ?? title) !== undefined), {
        message: 'give edits, or content, or a title',
      }),
    sideEffect: false,
    readsPrivateData: true,
    readsForeignText: true,
    sendsData: false,
    showsDraft: true,
    run: (args, call) => update(context, args, call),
  }),
]

interface Update {
  readonly id: string
  readonly edits?:
    | readonly { readonly old_text: string; readonly new_text: string; readonly everywhere?: boolean | undefined }[]
    | undefined
  readonly content?: string | undefined
  readonly title?: string | undefined
}

/** So often a change is tried again that somebody else was quicker with. */
const mostTries = 3

const update = async (
  context: ArtifactsContext,
  { id, edits, content, title }: Update,
  call: ToolContext,
): Promise<ToolOutput> => {
  const writer = byModel(call)
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { artifact: before, newest: standing } = await readCurrent(context, await readOwn(context, id, call))
    // The same call, run again after its end was lost.
    if (standing.callDigest === writer.callDigest) return outputOf(before, 'Changed')
    const wanted = edits?.map(({ old_text, new_text, everywhere = false }) => ({
      oldText: old_text,
      newText: new_text,
      everywhere,
    }))
    const edited = wanted ? applyEdits(standing.content, wanted) : { text: content ?? standing.content }
    if ('problem' in edited) return { text: edited.problem, isError: true }
    if (!ArtifactContent.safeParse(edited.text).success)
      return { text: 'It would be too long: an artifact has at most 500,000 characters.', isError: true }
    const after = await changeArtifact(context, before, { title, content: edited.text }, writer)
    if (after) return outputOf(after, 'Changed')
  }
  throw fail('conflict')
}

const byModel = (call: ToolContext): Writer => ({
  kind: 'model',
  accountId: call.accountId,
  callDigest: idOfCall(call),
})

/** Refuses with `artifact_not_found` what is somebody else’s. */
const readOwn = async (context: ArtifactsContext, id: string, { accountId }: ToolContext): Promise<StoredArtifact> => {
  const artifact = await readArtifact(context, id)
  if (artifact.accountId !== accountId) throw fail('artifact_not_found')
  return artifact
}

const linkTo = ({ id, title }: StoredArtifact) => ({ kind: 'artifact', id, title: nameLine(title) })

const outputOf = (artifact: StoredArtifact, done: string): ToolOutput => ({
  text: `${done} “${nameLine(artifact.title)}”. Its id is ${artifact.id}, its version ${artifact.version}. The user sees it beside the chat: do not repeat its content.`,
  links: [linkTo(artifact)],
})

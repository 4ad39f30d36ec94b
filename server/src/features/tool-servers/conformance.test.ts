import { toolSignInRoutes } from '@atrium/contract/tool-servers'
import { describe, expect, test } from 'vitest'
import type { ToolQuestions } from '../../core/tools/types.ts'
import { runConformance, type Scenario, scenariosOf } from '../../testing/conformance.ts'
import { openerFor } from '../../testing/databases.ts'
import { openToolSignIns } from '../../testing/tool-sign-ins.ts'
import { type ListedTool, ServerFault } from './kind.ts'

/** What the suite takes for a document of ours. */
const documentUrl = 'https://conformance-test.local/client-metadata.json'
/** The only scenario in which it may be known. */
const withDocument = 'auth/basic-cimd'

interface ToolCall {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

describe('the official conformance suite of the Model Context Protocol', () => {
  const open = openerFor('sqlite')

  test.each(['2025-11-25', '2026-07-28'])('finds nothing wrong with the client, revision %s', async (revision) => {
    const scenarios = await scenariosOf(revision)
    const documented = new Set<string>()
    const signIns = await openToolSignIns(open, { documentUrl: (id) => (documented.has(id) ? documentUrl : null) })

    const play = async ({ name, serverUrl, context }: Scenario): Promise<void> => {
      if (!scenarios.includes(name)) return
      const server = await signIns.addServer(serverUrl)
      if (name === withDocument) documented.add(server.id)
      const { client_id: clientId, client_secret: clientSecret } = context as Record<string, string>
      if (clientId !== undefined)
        await signIns.ann.call(toolSignInRoutes.saveToolOAuthClient, {
          params: { id: server.id },
          body: { clientId, clientSecret: clientSecret ?? null },
        })
      /** A person who signs in where that is asked for, and leaves forms as they are. */
      const ask: ToolQuestions['ask'] = async ({ kind }) => {
        if (kind !== 'sign-in') return {}
        const page = await signIns.browser.visit(await allowing(() => signIns.start(server), signIns.allow))
        return page.searchParams.get('mcpOAuth') === 'connected' ? {} : null
      }
      // A server may move to another authorization server under way: whoever tries again signs in there.
      const { tools } = await signIns.discover(server, { ask }).catch((error: unknown) => {
        if (error instanceof ServerFault && error.kind === 'sign-in') return signIns.discover(server, { ask })
        throw error
      })
      for (const call of callsOf(context, tools)) {
        const { inputSchema } = tools.find((tool) => tool.name === call.name) as { inputSchema: object }
        const tool = { originalName: call.name, inputSchema: { ...inputSchema }, call: null }
        await signIns.call(server, tool, call.arguments, { ask })
      }
    }

    const found = await runConformance(revision, play)
    await signIns.close()
    expect([...found.keys()]).toEqual(expect.arrayContaining([...scenarios]))
    const faults = scenarios.flatMap((scenario) =>
      (found.get(scenario) ?? [])
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, description, errorMessage }) => `${scenario} ${id}: ${errorMessage ?? description}`),
    )
    expect(faults).toEqual([])
  })
})

/** What the suite wants to be called, else every tool, with something for each argument that it needs. */
const callsOf = (context: Scenario['context'], tools: readonly ListedTool[]): readonly ToolCall[] => {
  const wanted = context['toolCalls'] as ToolCall[] | undefined
  return wanted ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema, tools) }))
}

const argumentsFor = (inputSchema: unknown, tools: readonly ListedTool[]): Record<string, unknown> => {
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, { type?: string }>
    required?: string[]
  }
  const values: Record<string, unknown> = { number: 5, integer: 5, string: 'five', boolean: true }
  return Object.fromEntries(
    required.map((name) => {
      // It asks for the definition of its neighbour, to see what was kept of it.
      const type = properties[name]?.type ?? ''
      return [name, type === 'object' ? tools[0]?.inputSchema : values[type]]
    }),
  )
}

/** Does something, and lets the private places be called that it is refused for, as an administrator would. */
const allowing = async (work: () => Promise<string>, allow: (place: string) => void): Promise<string> => {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const place = /localhost:\d+/.exec(String(error))?.[0]
      if (place === undefined || tries === 3) throw error
      allow(place)
    }
  }
}

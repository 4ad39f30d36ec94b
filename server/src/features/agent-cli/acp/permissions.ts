/** The options of a question for permission as decisions of ours, and back. Pure. */
import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { ToolDecision } from '@atrium/contract/generation'

const kindOf: Readonly<Record<ToolDecision, readonly PermissionOption['kind'][]>> = {
  allow_once: ['allow_once'],
  allow_chat: [],
  always_allow_tool: ['allow_always'],
  deny: ['reject_once', 'reject_always'],
}

/** What can be answered, by what the options do, whatever the agent calls them. To refuse is always possible. */
export const decisionsOf = (options: readonly PermissionOption[]): ToolDecision[] =>
  (['allow_once', 'always_allow_tool', 'deny'] as const).filter(
    (decision) => decision === 'deny' || optionOf(options, decision) !== null,
  )

/** null: it has no such option, which the protocol says as a question that nobody answered. */
export const optionOf = (options: readonly PermissionOption[], decision: ToolDecision): string | null => {
  for (const kind of kindOf[decision]) {
    const option = options.find((one) => one.kind === kind)
    if (option) return option.optionId
  }
  return null
}

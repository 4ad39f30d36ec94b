/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { describeArea } from '../description.ts'

export const agentHarnessDescription = describeArea({
  name: 'agent-harness',
  tag: 'agent-harness',
  errors: {
    harness_rejected: [400, 'The agent daemon rejected this. Check what you entered.'],
    harness_forbidden: [403, 'The agent daemon doesn’t allow this.'],
    harness_run_not_found: [404, 'Run not found at the agent daemon.'],
    harness_automation_not_found: [404, 'Automation not found at the agent daemon.'],
    permission_gone: [409, 'This question was answered elsewhere, or its run is over.'],
    harness_conflict: [409, 'The agent daemon is busy with something that conflicts with this.'],
    harness_busy: [429, 'The agent daemon’s provider is cooling down. Wait a moment and try again.'],
    harness_unreachable: [502, 'Couldn’t reach the agent daemon.'],
    harness_failed: [502, 'The agent daemon returned an unexpected response.'],
    harness_unavailable: [503, 'The agent daemon is starting or stopping. Try again in a moment.'],
    harness_off: [503, 'The agent daemon bridge is off. An administrator can turn it on.'],
    harness_timeout: [504, 'The agent daemon didn’t respond in time.'],
  },
  audit: [
    'harness-run.start',
    'harness-run.cancel',
    'harness-run.decide',
    'harness-automation.create',
    'harness-automation.update',
    'harness-automation.delete',
    'harness-automation.pause',
    'harness-automation.resume',
    'harness-automation.run',
  ],
  scopes: ['read', 'write'],
})

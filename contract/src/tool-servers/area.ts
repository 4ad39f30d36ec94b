/** What the rest of the product derives from this area: its error codes, events, audit actions and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const toolServersDescription = describeArea({
  name: 'tool-servers',
  tag: 'chat-tools',
  errors: {
    tool_server_not_found: [404, 'Tool server not found.'],
    server_tool_not_found: [404, 'Tool not found on this server.'],
    tool_server_limit: [409, 'You can register at most 50 tool servers.'],
    personal_tool_servers_off: [403, 'Your administrator hasn’t allowed personal tool servers.'],
    personal_tool_server_limit: [409, 'You can have at most 10 personal tool servers.'],
    tool_changes_moved: [409, 'The tools of this server have changed again. Review the changes again.'],
    tool_sign_in_failed: [422, 'You can’t sign in to this tool server right now.'],
    tool_server_failed: [502, 'The tool server didn’t respond as expected.'],
  },
  events: {
    /** Servers, their tools, or who may use them are others now. */
    'tool-servers-changed': z.strictObject({}),
  },
  audit: [
    'tool-server.create',
    'tool-server.update',
    'tool-server.delete',
    'tool-server.refresh',
    'tool-server.accept',
    'tool-server-tool.update',
    'tool-server-credential.save',
    'tool-server-credential.delete',
    'tool-server-sign-in.create',
    'tool-server-sign-in.delete',
    'tool-server-client.save',
    'tool-server-client.delete',
    'tool-server-resource.read',
    'tool-server-prompt.read',
  ],
  resources: {
    'tool-server': { shared: true, instance: true },
  },
})

/** Who is in a channel, and as what. */
import { z } from 'zod'
import { Id, Nothing, PageQuery, page } from '../common.ts'
import { routes } from '../route.ts'
import { InChannel, readable } from './parts.ts'
import { Channel, ChannelMember, ChannelRole } from './shapes.ts'

const OneMember = InChannel.extend({ userId: Id })

export const members = routes({
  join: {
    method: 'post',
    path: '/api/channels/{channelId}/join',
    access: 'user',
    names: 'own',
    summary: 'Join a public channel that is not archived. Joining again changes nothing',
    params: InChannel,
    returns: Channel,
    errors: ['channel_not_found', 'channel_archived', 'channel_full'],
  },
  members: {
    method: 'get',
    path: '/api/channels/{channelId}/members',
    access: 'user',
    names: readable,
    summary: 'List the members of a channel, longest-standing first',
    params: InChannel,
    query: PageQuery,
    returns: page(ChannelMember),
    errors: ['channel_not_found', 'bad_cursor'],
  },
  addMember: {
    method: 'post',
    path: '/api/channels/{channelId}/members',
    access: 'user',
    names: readable,
    summary:
      'Add a member: any member can to a public channel, owners and moderators to a private one. Existing members stay as they are',
    params: InChannel,
    body: z.strictObject({ userId: Id }),
    returns: ChannelMember,
    errors: [
      'channel_not_found',
      'right_missing',
      'user_not_found',
      'channel_fixed',
      'channel_archived',
      'channel_full',
    ],
  },
  changeMember: {
    method: 'patch',
    path: '/api/channels/{channelId}/members/{userId}',
    access: 'user',
    names: { resource: 'channel', id: 'channelId', right: 'owner' },
    summary: 'Change a member’s role, as an owner. The last owner must make someone else an owner first',
    params: OneMember,
    body: z.strictObject({ role: ChannelRole }),
    returns: ChannelMember,
    errors: ['channel_not_found', 'right_missing', 'channel_member_not_found', 'channel_fixed', 'channel_last_owner'],
  },
  removeMember: {
    method: 'delete',
    path: '/api/channels/{channelId}/members/{userId}',
    access: 'user',
    names: readable,
    summary:
      'Leave a channel or remove someone: moderators remove members, owners anyone. The last owner must make someone else an owner first',
    params: OneMember,
    returns: Nothing,
    errors: ['channel_not_found', 'right_missing', 'channel_member_not_found', 'channel_fixed', 'channel_last_owner'],
  },
})

/** Tags: words that an account gives its chats, to find them together again. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { mostTags } from '../tag-name.ts'
import { ChatSummary, Tag, TagName, TagNames } from './shapes.ts'

const InTag = z.strictObject({ tagId: Id })

export const tags = routes({
  tags: {
    method: 'get',
    path: '/api/chat/tags',
    access: 'user',
    summary: 'List your tags by name, with how many chats have each',
    returns: z.strictObject({ items: z.array(Tag), nextCursor: z.null() }),
  },
  tagChats: {
    method: 'post',
    path: '/api/chat/tags/changes',
    access: 'user',
    summary: 'Add tags to several of your chats, or remove them. Chats that are gone are left out',
    body: z.strictObject({
      chatIds: z.array(Id).min(1).max(200),
      add: TagNames.default([]),
      /** Several chats together can have more than one of them. */
      remove: z.array(TagName).max(mostTags).default([]),
    }),
    returns: z.strictObject({ items: z.array(ChatSummary) }),
    errors: ['tag_limit', 'chat_tag_limit'],
  },
  updateTag: {
    method: 'put',
    path: '/api/chat/tags/{tagId}',
    access: 'user',
    names: 'own',
    summary: 'Rename a tag in all of its chats. If you have a tag of that name, the two become one',
    params: InTag,
    body: z.strictObject({ name: TagName }),
    /** The other one, where the two became one. */
    returns: Tag,
    errors: ['tag_not_found'],
  },
  removeTag: {
    method: 'delete',
    path: '/api/chat/tags/{tagId}',
    access: 'user',
    names: 'own',
    summary: 'Delete a tag and remove it from all of its chats. The chats stay',
    params: InTag,
    returns: Nothing,
    errors: ['tag_not_found'],
  },
})

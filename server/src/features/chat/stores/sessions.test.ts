/** Chats that got another owner while a name was made for them. */
import { expect, test } from 'vitest'
import { newChat, openChats } from '../../../testing/chats.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { createChatStore } from './index.ts'

withDatabase('a chat that has another owner by now', (open) => {
  test('takes nothing that is sealed with the key of its former one', async () => {
    const harness = await openChats(open)
    try {
      const { id } = await newChat(harness.ann)
      const { sessions } = createChatStore(harness.database)
      const former = { id, account_id: 'ben' }
      const title = new Uint8Array([1, 2, 3])
      expect(await sessions.nameUnlessOwn(former, title)).toBe(false)
      expect(await sessions.update(former, { title })).toBe(false)
      expect(await sessions.update({ id, account_id: 'ann' }, { pinned: 1 })).toBe(true)
    } finally {
      await harness.close()
    }
  })
})

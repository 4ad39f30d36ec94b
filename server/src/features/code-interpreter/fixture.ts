/** A file that a program left, for the tests over every kind of resource. */
import { type codeInterpreterArea, codeInterpreterRoutes } from '@atrium/contract/code-interpreter'
import { idsOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof codeInterpreterArea> = {
  'code-file': {
    make: async (owner, word) => {
      const code = `require('fs').writeFileSync('/out/${word}.txt', '${word}')`
      const run = await owner.call(codeInterpreterRoutes.run, { body: { language: 'javascript', code, chatId: null } })
      return run.files[0]?.id ?? ''
    },
    list: async (client) => idsOf((await client.call(codeInterpreterRoutes.files, { query: {} })).items),
    async read(client, id) {
      const answer = await client.answer(codeInterpreterRoutes.content, { params: { fileId: id } })
      if (!answer.ok) return ((await answer.json()) as { code: string }).code
      await answer.body?.cancel()
      return 'ok'
    },
    missing: 'code_file_not_found',
    remove: (owner, id) => owner.call(codeInterpreterRoutes.removeFile, { params: { fileId: id } }),
  },
}

/** A definition in a file: raw JSON, or the field `plugin` of a form. */
import { Definition } from '@atrium/contract/connections'
import type { UploadedFile } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { JsonFault, readJsonText } from '../../../platform/json/index.ts'

/** Reads and checks a definition. Refuses with `unsupported_media_type` or `validation_failed`. */
export async function readDefinitionFile(file: UploadedFile, name: string | undefined): Promise<Definition> {
  const bytes = await file.bytes()
  const form = file.mediaType === 'multipart/form-data' ? await readForm(bytes) : null
  const content = form ? form.bytes : bytes
  const fileName = form ? form.name : name
  if ((fileName !== undefined && !/\.json$/i.test(fileName)) || isArchive(content)) {
    throw fail('unsupported_media_type', 'Upload the definition as a JSON file.')
  }
  const read = Definition.safeParse(parse(content))
  if (read.success) return read.data
  throw fail(
    'validation_failed',
    'This file doesn’t contain a usable definition.',
    read.error.issues.slice(0, 50).map(({ path, message }) => ({ path: ['file', ...path].join('.'), message })),
  )
}

function parse(content: Uint8Array): unknown {
  try {
    return readJsonText(content)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const [detail, message] =
      error.kind === 'syntax' || error.kind === 'text'
        ? ['This file isn’t JSON.', 'is no JSON']
        : ['This file isn’t a definition: it is too large or nested too deeply.', 'holds too much']
    throw fail('validation_failed', detail, [{ path: 'file', message }])
  }
}

/** The boundary is what the body begins with. */
async function readForm(bytes: Uint8Array): Promise<{ name: string | undefined; bytes: Uint8Array }> {
  const [first = ''] = Buffer.from(bytes.subarray(0, 200)).toString('latin1').split('\r\n')
  const broken = fail('validation_failed', 'This form couldn’t be read.', [{ path: 'plugin', message: 'is not there' }])
  if (!first.startsWith('--')) throw broken
  const headers = { 'content-type': `multipart/form-data; boundary="${first.slice(2)}"` }
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => null)
  const field = form?.get('plugin') ?? form?.get('file')
  if (field instanceof File) return { name: field.name, bytes: new Uint8Array(await field.arrayBuffer()) }
  if (typeof field === 'string') return { name: undefined, bytes: Buffer.from(field) }
  throw broken
}

const isArchive = (content: Uint8Array): boolean => content[0] === 0x50 && content[1] === 0x4b && content[2] === 3

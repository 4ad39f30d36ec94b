/** ComfyUI: a graph is queued, run and remembered, and its pictures lie beside it (docs.comfy.org, server routes). */
import type { ServerResponse } from 'node:http'
import type { State } from '../state.ts'
import { json } from '../writing.ts'
import { formOf, type Maker, type MakerCall, objectOf, sendBytes } from './call.ts'
import { pixel } from './samples.ts'

const checkpoints = ['flux1-dev-fp8.safetensors', 'sd_xl_base_1.0.safetensors']

export const comfyUi: Maker = (state, call, res) => {
  const { method, url } = call
  const [, id = ''] = /^\/history\/([\w-]+)$/.exec(url.pathname) ?? []
  if (method === 'GET' && id !== '') return history(state, id, res)
  switch (`${method} ${url.pathname}`) {
    case 'GET /models/checkpoints':
      return json(res, 200, checkpoints)
    case 'POST /upload/image': {
      const name = formOf(call)?.files.find(({ field }) => field === 'image')?.name
      if (name === undefined) return void res.writeHead(400).end()
      state.uploads.add(name)
      return json(res, 200, { name, subfolder: '', type: 'input' })
    }
    case 'POST /prompt':
      return queue(state, call, res)
    case 'GET /queue':
      return json(res, 200, { queue_running: [], queue_pending: [] })
    case 'POST /queue':
    case 'POST /interrupt':
      return void res.writeHead(200).end()
    case 'GET /view':
      if (url.searchParams.get('filename') !== 'atrium_00001_.png' || url.searchParams.get('type') !== 'output')
        return void res.writeHead(404).end()
      return sendBytes(res, 'image/png', pixel)
    default:
      return false
  }
}

function queue(state: State, { body }: MakerCall, res: ServerResponse): void {
  const { prompt, prompt_id: wanted } = objectOf(body)
  const wrong = faultOf(state, objectOf(prompt))
  if (wrong) {
    const error = { type: 'prompt_outputs_failed_validation', message: wrong, details: '', extra_info: {} }
    return json(res, 400, { error, node_errors: {} })
  }
  const id = String(wanted)
  state.films.set(id, { model: 'comfyui', looks: 0, cancelled: false })
  json(res, 200, { prompt_id: id, number: state.films.size, node_errors: {} })
}

/** Why a graph cannot run: every link leads somewhere, every file is there, and something is saved. */
function faultOf(state: State, graph: Record<string, unknown>): string | null {
  const nodes = Object.values(graph).map(objectOf)
  if (!nodes.some(({ class_type: type }) => type === 'SaveImage')) return 'Prompt has no outputs'
  for (const node of nodes) {
    for (const [name, value] of Object.entries(objectOf(node['inputs']))) {
      if (Array.isArray(value) && !Object.hasOwn(graph, String(value[0]))) return `${name}: leads nowhere`
      if (typeof value === 'string' && value.includes('{{')) return `${name}: was left open`
      if (name === 'ckpt_name' && !checkpoints.includes(String(value))) return `${name}: Value not in list`
      if (name === 'image' && typeof value === 'string' && !state.uploads.has(value))
        return `${name}: Invalid image file`
    }
  }
  return null
}

function history(state: State, id: string, res: ServerResponse): void {
  if (!state.films.has(id)) return json(res, 200, {})
  const images = [
    { filename: 'draft_00001_.png', subfolder: '', type: 'temp' },
    { filename: 'atrium_00001_.png', subfolder: '', type: 'output' },
  ]
  const status = { status_str: 'success', completed: true, messages: [] }
  json(res, 200, { [id]: { prompt: [1, id, {}, {}, []], outputs: { saved: { images } }, status, meta: {} } })
}

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectionsRoutes } from '@atrium/contract/connections'
import { afterEach, expect, test } from 'vitest'
import { bundledDefinitions } from '../../../providers/definitions.ts'
import { openConnections } from '../../../testing/connections.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { usualPorts } from './local-discovery.ts'
import type { LocalMediaServer } from './local-media.ts'

const json = (value: unknown) => (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}
const list = (...ids: string[]) => json({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })
const page = (response: ServerResponse) => {
  response.setHeader('server', 'whisper.cpp').setHeader('content-type', 'text/html')
  response.end('<html><head><title>Whisper.cpp Server</title></head></html>')
}

/** What each of them answers to whoever looks, as its documentation and source have it. */
const answers: Record<LocalMediaServer | 'llama.cpp' | 'vLLM', Record<string, (response: ServerResponse) => void>> = {
  'whisper-cpp': { '/': page, '/health': json({ status: 'ok' }) },
  speaches: {
    '/openapi.json': json({ openapi: '3.1.0', info: { title: 'Speaches', version: '0.8.3' }, paths: {} }),
    '/v1/models': list('Systran/faster-whisper-small', 'speaches-ai/Kokoro-82M-v1.0-ONNX'),
    '/v1/models?task=automatic-speech-recognition': list('Systran/faster-whisper-small'),
    '/v1/models?task=text-to-speech': list('speaches-ai/Kokoro-82M-v1.0-ONNX'),
  },
  kokoro: {
    '/openapi.json': json({ openapi: '3.1.0', info: { title: 'Kokoro TTS API', version: '1.0.0' }, paths: {} }),
    '/v1/models': list('tts-1', 'tts-1-hd', 'kokoro'),
  },
  localai: {
    '/system': json({ backends: ['llama-cpp', 'whisper'], loaded_models: null }),
    '/v1/models': list('gpt-4', 'stablediffusion', 'whisper-1'),
  },
  automatic1111: {
    '/sdapi/v1/sd-models': json([{ title: 'v1-5.safetensors [6ce0161689]', model_name: 'v1-5', hash: '6ce0161689' }]),
  },
  comfyui: {
    '/system_stats': json({
      system: { os: 'posix', comfyui_version: '0.3.60', python_version: '3.12.3' },
      devices: [{ name: 'cpu', type: 'cpu' }],
    }),
    '/models/checkpoints': json(['flux1-dev-fp8.safetensors', 'sd_xl_base_1.0.safetensors']),
  },
  'llama.cpp': { '/v1/models': list('qwen3-8b'), '/health': json({ status: 'ok' }) },
  vLLM: {
    '/v1/models': list('llama-3.1-8b'),
    '/openapi.json': json({ openapi: '3.1.0', info: { title: 'FastAPI', version: '0.1.0' } }),
  },
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(known: Record<string, (response: ServerResponse) => void>): Promise<number> {
  const server = createServer((request, response) => {
    const answer = known[request.url ?? '']
    if (answer) answer(response)
    else response.writeHead(404).end('Not found')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  return (server.address() as AddressInfo).port
}

withDatabase('local servers for pictures and speech', (open) => {
  /** The usual ports and the definitions, as they were if each port were the one that such a server has here. */
  const openWith = async (ports: ReadonlyMap<number, number>) => {
    const moved = JSON.stringify(bundledDefinitions()).replaceAll(/localhost:(\d+)/g, (place, port) => {
      const here = ports.get(Number(port))
      return here === undefined ? place : `localhost:${here}`
    })
    const harness = await openConnections(open, {
      bundled: JSON.parse(moved),
      usualPorts: usualPorts.flatMap((usual) => {
        const here = ports.get(usual.port)
        return here === undefined ? [] : [{ ...usual, port: here }]
      }),
    })
    closing.push(() => harness.close())
    const found = async () => (await harness.ann.call(connectionsRoutes.found, {})).items
    return { harness, found }
  }

  test('are told by their answers on the ports that they share with others, and connected in one step', async () => {
    const ports = new Map([
      [8080, await serve(answers.localai)],
      [8000, await serve(answers.speaches)],
      [8880, await serve(answers.kokoro)],
      [7860, await serve(answers.automatic1111)],
      [8188, await serve(answers.comfyui)],
    ])
    const { harness, found } = await openWith(ports)
    expect(
      (await found()).map(({ kind, pluginId, modelCount, connected }) => [kind, pluginId, modelCount, connected]),
    ).toEqual([
      ['plugin', 'localai', 3, false],
      ['plugin', 'speaches', 2, false],
      ['plugin', 'kokoro', 3, false],
      ['plugin', 'automatic1111', 1, false],
      ['plugin', 'comfyui', 2, false],
    ])
    for (const id of ['speaches', 'comfyui']) {
      await harness.ann.call(connectionsRoutes.allowPlugin, { params: { id } })
      const { discovery } = await harness.ann.call(connectionsRoutes.activate, { params: { id } })
      expect(discovery.outcome).toBe('updated')
    }
    expect((await found()).filter(({ connected }) => connected).map(({ name }) => name)).toEqual([
      'Speaches',
      'ComfyUI',
    ])
    const models = async (capability: 'stt' | 'tts' | 'image') =>
      (await harness.connections.capabilityModels('ann', capability)).map(({ model }) => model)
    expect(await models('stt')).toEqual(['Systran/faster-whisper-small'])
    expect(await models('tts')).toEqual(expect.arrayContaining(['speaches-ai/Kokoro-82M-v1.0-ONNX']))
    expect(await models('image')).toEqual(['flux1-dev-fp8.safetensors', 'sd_xl_base_1.0.safetensors'])
  })

  test('are not taken for the servers of language models beside them, nor those for them', async () => {
    const whisper = await openWith(new Map([[8080, await serve(answers['whisper-cpp'])]]))
    expect(await whisper.found()).toMatchObject([{ pluginId: 'whisper-cpp', name: 'whisper.cpp', modelCount: 1 }])
    const others = await openWith(
      new Map([
        [8080, await serve(answers['llama.cpp'])],
        [8000, await serve(answers.vLLM)],
        [8188, await serve({ '/system_stats': json({ system: {}, devices: 'none' }) })],
        [8880, await serve({ '/openapi.json': (response) => response.end('{') })],
      ]),
    )
    expect(await others.found()).toMatchObject([
      { kind: 'openai-compatible', name: 'llama.cpp', pluginId: null },
      { kind: 'openai-compatible', name: 'vLLM', pluginId: null },
    ])
  })

  test('whose definition was moved elsewhere are left to what stands there', async () => {
    const port = await serve(answers.comfyui)
    const { harness, found } = await openWith(new Map([[8188, port]]))
    await harness.ann.call(connectionsRoutes.saveVariables, {
      params: { id: 'comfyui' },
      body: { variables: { endpoint: 'http://localhost:1/prompt' }, allowPrivate: true },
    })
    expect(await found()).toEqual([])
  })
})

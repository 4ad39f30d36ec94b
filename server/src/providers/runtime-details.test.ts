import { describe, expect, test } from 'vitest'
import { readParameters, readShown } from './runtime-details.ts'

describe('the values of a model', () => {
  test.each([
    ['temperature                    0.7', { temperature: 0.7 }],
    ['num_ctx 4096\nnum_predict -1', { num_ctx: 4096, num_predict: -1 }],
    ['stop "<|start|>"\nstop "<|end|>"', { stop: ['<|start|>', '<|end|>'] }],
    ['stop "say \\"so\\""', { stop: 'say "so"' }],
    ['penalize_newline true', { penalize_newline: true }],
    ['stop User:', { stop: 'User:' }],
    ['', {}],
    ['# a remark\n\n   \nTEMPERATURE 1', {}],
  ])('%j are read', (text, expected) => {
    expect(readParameters(text)).toEqual(expected)
  })

  test('are not more than anybody needs', () => {
    const many = Array.from({ length: 1000 }, (_, n) => `p${n} ${n}`).join('\n')
    expect(Object.keys(readParameters(many))).toHaveLength(200)
    expect(readParameters('stop "x"\n'.repeat(500))['stop']).toHaveLength(50)
  })
})

test('an answer without anything in it is no fault', () => {
  expect(readShown('x', {}, true)).toEqual({
    name: 'x',
    family: null,
    format: null,
    parameterSize: null,
    quantization: null,
    contextWindow: null,
    embeddingLength: null,
    capabilities: [],
    modifiedAt: null,
    parameters: {},
    system: null,
    template: null,
    license: null,
    definition: null,
    info: {},
  })
})

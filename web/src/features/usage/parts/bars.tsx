import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** Bars on a canvas, in the colours of the theme; drawn again when theme or width change. */
export function Bars({
  names,
  values,
  show,
  onPoint,
}: {
  /** Of each bar, under it. */
  names: readonly string[]
  values: readonly number[]
  show: (value: number) => string
  /** Told which bar is pointed at, and when none is any more. */
  onPoint: (index: number | null) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(show)
  shown.current = show
  const pointed = useRef(onPoint)
  pointed.current = onPoint
  useEffect(() => {
    const element = box.current
    if (!element) return
    let plot: uPlot | null = null
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(
        optionsFor(
          element,
          names,
          (value) => shown.current(value),
          (index) => pointed.current(index),
        ),
        dataOf(values),
        element,
      )
    }
    const resized = new ResizeObserver(() => {
      if (plot && plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height })
    })
    const themed = new MutationObserver(draw)
    draw()
    resized.observe(element)
    themed.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'data-accent', 'class'],
    })
    return () => {
      resized.disconnect()
      themed.disconnect()
      plot?.destroy()
    }
  }, [names, values])
  return <div ref={box} aria-hidden className="h-full w-full" />
}

const height = 220

const dataOf = (values: readonly number[]): uPlot.AlignedData => [values.map((_, index) => index), [...values]]

function optionsFor(
  element: HTMLElement,
  names: readonly string[],
  show: (value: number) => string,
  point: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const nameOf = (index: number) => (Number.isInteger(index) ? (names[index] ?? '') : '')
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, names.length - 0.4] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        stroke: colour('muted'),
        font,
        grid: { show: false },
        ticks: { show: false },
        space: 64,
        incrs: [1, 2, 3, 7, 14, 30, 60, 90],
        values: (_, splits) => splits.map(nameOf),
      },
      {
        stroke: colour('muted'),
        font,
        size: 64,
        grid: { stroke: colour('line'), width: 1 },
        ticks: { show: false },
        values: (_, splits) => splits.map(show),
      },
    ],
    series: [
      {},
      {
        fill: colour('accent'),
        width: 0,
        paths: uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 }),
        points: { show: false },
      },
    ],
  }
}

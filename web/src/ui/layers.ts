/** The layers over the page, fetched together: they stand on the same libraries. */
export { DialogWindow } from './dialog-window.tsx'
export { MenuPanel } from './menu-panel.tsx'
export { PopoverPanel } from './popover-panel.tsx'
export { SheetWindow } from './sheet-window.tsx'

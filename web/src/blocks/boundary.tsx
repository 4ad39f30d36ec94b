import { Component, type ReactNode } from 'react'

/** Shows `fallback` in place of what cannot be drawn, and tries again when `about` changes. */
export class Boundary extends Component<
  { about: unknown; fallback: ReactNode; children: ReactNode },
  { failedAt: unknown; failed: boolean }
> {
  override state = { failedAt: undefined as unknown, failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }
  override componentDidCatch() {
    this.setState({ failedAt: this.props.about })
  }
  override componentDidUpdate() {
    if (this.state.failed && this.state.failedAt !== undefined && this.state.failedAt !== this.props.about) {
      this.setState({ failed: false, failedAt: undefined })
    }
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}

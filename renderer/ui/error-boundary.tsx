// Catches a fault of a screen, so that the rest of the app stays usable and nothing looks like an empty result.

import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorState } from './states.tsx';

interface State {
  readonly error: unknown;
}

/** Shows the fault and a way to draw the screen again. React has no hook for this, hence the class. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error('A screen failed.', error, info.componentStack);
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <ErrorState title="This screen failed" error={this.state.error} onRetry={() => this.setState({ error: null })} />
    );
  }
}

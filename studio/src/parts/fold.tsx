// What most do not need, folded away: open at first where something is in it, and then as somebody leaves it.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface FoldProps {
  readonly title: ComponentChildren;
  /** Something inside needs to be seen. */
  readonly open: boolean;
  readonly children: ComponentChildren;
}

export function Fold({ title, open, children }: FoldProps) {
  const [shown, setShown] = useState(open);
  useEffect(() => {
    if (open) setShown(true);
  }, [open]);
  return (
    <details open={shown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

// A place for files: dropped, or chosen.

import { useId, useState } from 'preact/hooks';

export interface DropProps {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly error?: string | null;
}

export function Drop({ label, hint, accept, multiple = false, onFiles, error }: DropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped on it; the input inside is for everybody else
    <div
      class={`drop${over ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        data-field="input"
        accept={accept}
        multiple={multiple}
        aria-describedby={`${id}-hint ${id}-error`}
        onClick={({ currentTarget }) => {
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          if (files.length > 0) onFiles(files);
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="error" id={`${id}-error`} role="alert">
        {error ?? ''}
      </p>
    </div>
  );
}

/** A file that the page made, under its name. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun by then, and keeps what it needs.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
